import { describe, expect, it } from "vitest";
import { redirectOf } from "../../../src/machine/network/redirect.ts";

describe("redirectOf", () => {
  it.each([
    { title: "a path", from: "http://a.example/x/version", location: "/y", to: "http://a.example/y" },
    { title: "a name beside it", from: "http://a.example/x/version", location: "latest", to: "http://a.example/x/latest" },
    { title: "another host", from: "http://a.example/x", location: "http://b.example/y", to: "http://b.example/y" },
    {
      title: "another host by the same scheme",
      from: "https://a.example/x",
      location: "//b.example/y",
      to: "https://b.example/y",
    },
    { title: "another port", from: "https://a.example/x", location: "https://a.example:8443/x", to: "https://a.example:8443/x" },
    { title: "https from http", from: "http://a.example/x", location: "https://a.example/x", to: "https://a.example/x" },
    { title: "itself", from: "http://a.example/x", location: "", to: "http://a.example/x" },
    { title: "a place without its fragment", from: "http://a.example/x", location: "/y#z", to: "http://a.example/y" },
  ])("goes to $title", ({ from, location, to }) => {
    expect(redirectOf(new URL(from), { status: 302, location })?.href).toBe(to);
  });

  it.each([
    ["http from https", "http://a.example/x", /https down to http/],
    ["a file", "file:///etc/passwd", /another scheme/],
    ["ftp", "ftp://a.example/x", /another scheme/],
    ["data", "data:text/plain,15.4.6", /another scheme/],
    ["script", "javascript:alert(1)", /another scheme/],
    ["what is no URL", "https://[", /no URL/],
    ["a user name", "https://user:secret@b.example/x", /user name in it, at b\.example$/],
  ])("refuses %s", (_title, location, says) => {
    expect(() => redirectOf(new URL("https://a.example/x"), { status: 302, location })).toThrow(says);
  });

  it.each([301, 302, 303, 307, 308])("knows %i", (status) => {
    expect(redirectOf(new URL("http://a.example/"), { status, location: "/y" })?.pathname).toBe("/y");
  });

  it.each([200, 201, 300, 304, 305, 306, 404, 503])("stays with %i, whatever place it names", (status) => {
    expect(redirectOf(new URL("http://a.example/"), { status, location: "/y" })).toBeUndefined();
  });

  it("stays where no place is named", () => {
    expect(redirectOf(new URL("http://a.example/"), { status: 302, location: undefined })).toBeUndefined();
  });
});
