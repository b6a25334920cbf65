/** A loose memory for what an SDK's OAuth support wants kept, and where it wanted the person to go. */
export class RememberedOauth {
  readonly redirectUrl = 'http://127.0.0.1:33419/callback';
  readonly clientMetadata: { redirect_uris: string[]; client_name: string; grant_types: string[] };
  readonly clientMetadataUrl?: string;
  /** The authorization request that the client made last. */
  asked: URL | undefined;
  #kept = new Map<string, unknown>();

  constructor(client_name: string, clientMetadataUrl?: string) {
    const grant_types = ['authorization_code', 'refresh_token'];
    this.clientMetadata = { redirect_uris: [this.redirectUrl], client_name, grant_types };
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation(): never {
    return this.#kept.get('client') as never;
  }
  saveClientInformation(client: unknown): void {
    this.#kept.set('client', client);
  }
  tokens(): never {
    return this.#kept.get('tokens') as never;
  }
  saveTokens(tokens: unknown): void {
    this.#kept.set('tokens', tokens);
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#kept.set('verifier', verifier);
  }
  codeVerifier(): string {
    return String(this.#kept.get('verifier'));
  }
  saveDiscoveryState(state: unknown): void {
    this.#kept.set('discovery', state);
  }
  discoveryState(): never {
    return this.#kept.get('discovery') as never;
  }
}
