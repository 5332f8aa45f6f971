import { parseVersion, type Version } from "../../rules/version/version.ts";

declare const tagRuleBrand: unique symbol;

/** The form of a version in an image's tag: `{version}`, `v{version}`, `{version}-alpine`. */
export type TagRule = string & { readonly [tagRuleBrand]: true };

const place = "{version}";

export const tagRuleRule = 'a tag with {version} in it once, for example "{version}", "v{version}" or "{version}-alpine"';

export function parseTagRule(text: string): TagRule | undefined {
  const [before = "", after, ...others] = text.split(place);
  if (after === undefined || others.length > 0) return undefined;
  return /^(?:\w[\w.-]*)?$/.test(before) && /^[\w.-]*$/.test(after) && text.length <= longestTag ? (text as TagRule) : undefined;
}

/** The limits of distribution's grammar: 255 bytes for the repository, and 253 with a port for the registry. */
const longestTag = 128;
const longestRepository = 255 + "/".length + 253 + ":65535".length;

export type Image = {
  /** Includes the registry and its port. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** Whether the image has a digest. Then only the digest decides what runs. */
  readonly isPinned: boolean;
};

/** The API server accepts any text as an image. */
export function parseImage(text: string): Image | undefined {
  const [, repository, tag, digest] = imagePattern.exec(text) ?? [];
  if (repository === undefined || repository.length > longestRepository) return undefined;
  return { repository, tag, isPinned: digest !== undefined };
}

const imagePattern =
  /^((?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::(\w[\w.-]{0,127}))?(@[a-z0-9+._-]+:[0-9a-fA-F]{32,})?$/;

/** Why an image cannot be read. In messages it follows the image's name. */
export type Unreadable = { readonly why: string; readonly hint: string };

/** The version in an image's tag. `entry` of the settings holds the rule. */
export function versionIn(text: string, rule: TagRule, entry: string): { readonly version: Version } | Unreadable {
  const image = parseImage(text);
  if (image === undefined) return { why: "is no image", hint: "correct the image of the container" };
  const { tag } = image;
  if (tag === undefined) {
    return {
      why: image.isPinned ? "names a digest and no tag" : "names no tag",
      hint: `give the image a tag that names its version, for example ${image.repository}:${tagOf("15.4.5" as Version, rule)}`,
    };
  }
  const [before = "", after = ""] = rule.split(place);
  const isFramed = tag.length > before.length + after.length && tag.startsWith(before) && tag.endsWith(after);
  const bare = tag.slice(before.length, tag.length - after.length);
  const version = isFramed && /^\d/.test(bare) && !flavour.test(bare) ? parseVersion(bare) : undefined;
  if (version !== undefined) return { version };
  const meant = meantRule(tag);
  return {
    why: `has the tag ${tag}, which is not ${rule} with a version`,
    hint: meant === undefined ? `set \`${entry}.tag\` to how a version stands in it` : `set \`${entry}.tag: "${meant}"\``,
  };
}

/** `15.4.6-alpine` reads like a prerelease of 15.4.6, but is another kind of image. */
const flavour = /-(?:alpine|amd64|arm64|bookworm|bullseye|centos|debian|distroless|fips|musl|slim|trixie|ubi|ubuntu)\b/;

function meantRule(tag: string): string | undefined {
  const [, before, after = ""] = /^([a-z]{0,10}-?)\d+\.\d+\.\d+(-[a-z][\w.-]*)?$/.exec(tag) ?? [];
  return before === undefined ? undefined : `${before}${place}${after}`;
}

/** The image of another version, by its tag; undefined if no tag can name that version. */
export function imageOf(text: string, version: Version, rule: TagRule): string | undefined {
  const tag = tagOf(version, rule);
  return tag.length <= longestTag && /^[\w.-]+$/.test(tag) ? `${parseImage(text)?.repository}:${tag}` : undefined;
}

function tagOf(version: Version, rule: TagRule): string {
  return rule.replace(place, version);
}
