/** The error answer to a request. */
export type RefusedAnswer = {
  readonly kind: "refused";
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
};

/** All error answers of the server, with the words of their JSON bodies. */
export const refusals = {
  notFound: refused(404, "not-found", {
    message: "there is nothing here",
    hint: "ask for /webapi/ping or /v1/webapi/automaticupgrades/channel/default/version",
  }),
  channelUnknown: refused(404, "channel-unknown", {
    message: "there is no such channel",
    hint: "a channel is defined in proxy_service.automatic_upgrades_channels; default is always there",
  }),
  methodNotAllowed: refused(405, "method-not-allowed", {
    message: "this can only be read",
    hint: "use GET or HEAD",
  }),
  targetTooLong: refused(414, "target-too-long", {
    message: "the request's target is longer than any channel's",
    hint: "ask for /v1/webapi/automaticupgrades/channel/default/version",
  }),
  targetInvalid: refused(400, "target-invalid", {
    message: "the request's target has a percent sign that stands for no character, or for a control character",
    hint: "a channel's name needs no encoding",
  }),
  requestInvalid: refused(400, "request-invalid", {
    message: "this is not a request in proper HTTP/1.1",
    hint: "look at it with `curl -v`; where TLS is spoken, so must be the client",
  }),
  hostInvalid: refused(400, "host-invalid", {
    message: "the Host header is missing, repeated or invalid",
    hint: "send one header Host, a name or an address with an optional port",
  }),
  expectRefused: refused(400, "expect-refused", {
    message: "nothing is to be expected of a question",
    hint: "ask without the header Expect",
  }),
  requestSlow: refused(408, "request-slow", {
    message: "the request did not come to its end in time",
    hint: "ask again",
  }),
  bodyTooLarge: refused(413, "body-too-large", { message: "a question needs no body", hint: "use GET or HEAD without a body" }),
  headersTooLarge: refused(431, "headers-too-large", {
    message: "the request's headers are larger than any updater's",
    hint: "ask without cookies",
  }),
  tooManyConnections: refused(503, "too-many-connections", {
    message: "this instance has as many connections as it may have",
    hint: "ask again later, or run more instances",
  }),
  upstreamUnknown: refused(503, "upstream-unknown", {
    message: "the upstream of this channel has given no version, or none for too long",
    hint: "it is asked again by itself; svc-proxy's log says what is wrong",
  }),
  decisionsUnknown: refused(503, "decisions-unknown", {
    message: "this proxy of a cluster has not heard yet which versions hosts are told",
    hint: "it asks the cluster's auth service by itself; its log says what is wrong",
  }),
} satisfies Readonly<Record<string, RefusedAnswer>>;

export function refusalBody({ code, message, hint }: RefusedAnswer): string {
  return `${JSON.stringify({ schema: 1, fault: { code, message, hint } })}\n`;
}

function refused(status: number, code: string, told: { readonly message: string; readonly hint: string }): RefusedAnswer {
  return { kind: "refused", status, code, ...told };
}
