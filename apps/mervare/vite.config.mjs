import { defineConfig } from 'vite';

/** The script of the site's pages, bundled as a customer of the element would. */
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'web/chat.ts', formats: ['es'], fileName: () => 'chat.js' },
  },
});
