/** The variables that say how to reach the outside, as found; upper case wins over lower case. */
export type ProxyVariables = {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
  readonly https_proxy?: string | undefined;
  readonly http_proxy?: string | undefined;
  readonly no_proxy?: string | undefined;
};

export type Proxy = {
  readonly scheme: "http" | "https";
  /** Lower case, ASCII; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Decoded. Never printed. */
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
};

/** How a URL is reached, and the rule that made it so, in words an admin recognises from the variables. */
export type Route =
  | { readonly kind: "direct"; readonly rule: string }
  | { readonly kind: "proxy"; readonly proxy: Proxy; readonly rule: string };
