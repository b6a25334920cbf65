import { apiToken } from './server.ts';

/** The receipts of external calls as a server's operator gets them, the last settled first. */
export async function receiptsOf({ origin }: { readonly origin: string }) {
  const response = await fetch(`${origin}/api/external-tool-calls`, {
    headers: { Authorization: `Bearer ${apiToken}` },
  });
  const { receipts } = (await response.json()) as { receipts: { tool: string; outcome: string }[] };
  return receipts;
}
