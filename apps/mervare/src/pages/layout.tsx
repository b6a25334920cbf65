import type { Child } from 'hono/jsx';

/** What every page needs to know of the site. */
export interface Site {
  readonly origin: string;
  /** Address of a static file. */
  readonly asset: (file: string) => string;
  /** Origin of the Sveda server behind the chat; undefined where the pages have none. */
  readonly sveda: string | undefined;
}

interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  readonly description: string;
  /** The navigation entry that this page belongs to. */
  readonly at?: '/harbours' | '/developers/mcp' | '/account';
  /** The page shows the chat, where the site has one. */
  readonly chat?: boolean;
  readonly children?: Child;
}

const entries = [
  ['/harbours', 'Harbours'],
  ['/developers/mcp', 'For developers'],
  ['/account', 'Account'],
] as const;

/** The frame of the site's pages. */
export function Layout({ site, title, description, at, chat = false, children }: LayoutProps) {
  return (
    <Document site={site} title={title} description={description}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <div class="wide">
          <a class="brand" href="/">
            Mervare
          </a>
          <nav aria-label="Main">
            {entries.map(([href, label]) => (
              <a href={href} {...(href === at ? { 'aria-current': 'page' } : {})}>
                {label}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main id="main" class="wide" tabindex={-1}>
        {children}
        {chat && site.sveda !== undefined && <Chat site={site} />}
      </main>
      <footer class="wide">
        <p>
          Harbour facts come from the open package sea-ports, whose authors warn that not every position in it
          is right, and from Mervare’s own records. Coastlines: Natural Earth. Not for navigation.
        </p>
      </footer>
    </Document>
  );
}

interface DocumentProps {
  readonly site: Pick<Site, 'asset'>;
  readonly title: string;
  readonly description: string;
  /** BCP 47; English unless given. */
  readonly lang?: string;
  /** Search engines are asked to forget the page. */
  readonly hidden?: boolean;
  readonly children?: Child;
}

/** What every page is: its head, and a body. */
export function Document({ site, title, description, lang = 'en', hidden = false, children }: DocumentProps) {
  return (
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {hidden && <meta name="robots" content="noindex, nofollow" />}
        <title>{title}</title>
        <meta name="description" content={description} />
        <link rel="stylesheet" href={site.asset('site.css')} />
        <link rel="icon" href={site.asset('icon.svg')} type="image/svg+xml" />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** Without script the page is whole without it. */
function Chat({ site }: { site: Site }) {
  return (
    <section class="chat" aria-labelledby="ask">
      <h2 id="ask">Ask about harbours</h2>
      <sveda-chat session="/sveda/session" />
      <script type="module" src={site.asset('chat.js')} />
    </section>
  );
}
