/** One request of the 2025-11-25 era to an endpoint, with what is presented. */
export function rpc(
  endpoint: string,
  token: string | undefined,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

/** Names of the tools that are listed to whoever presents this. */
export async function listedTools(endpoint: string, token: string | undefined): Promise<string[]> {
  const answer = (await (await rpc(endpoint, token, 'tools/list')).json()) as {
    result: { tools: { name: string }[] };
  };
  return answer.result.tools.map(({ name }) => name);
}

/** Status and text of a call. */
export async function called(
  endpoint: string,
  token: string | undefined,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<{ status: number; text: string; challenge: string | null }> {
  const response = await rpc(endpoint, token, 'tools/call', { name, arguments: input });
  return {
    status: response.status,
    text: await response.text(),
    challenge: response.headers.get('www-authenticate'),
  };
}
