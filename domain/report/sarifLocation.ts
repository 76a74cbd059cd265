import type { Location } from "../finding/Finding.ts"

/** Represents the repository's root. It has no value, because the location of the sources is private. */
export const root = "%SRCROOT%"

interface Region {
  readonly startLine: number
  readonly endLine?: number
  readonly startColumn?: number
  readonly endColumn?: number
  readonly snippet?: { readonly text: string }
}

export interface SarifLocation {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string }
    readonly region?: Region
  }
  readonly message?: { readonly text: string }
}

/** A path in the repository as a relative reference (RFC 3986): no scheme, no leading slash, odd characters encoded. */
export const uriOf = (path: string): string => (plainPath.test(path) ? path : encodedPath(path))

/** Nothing in it needs encoding. Paths may have hundreds of folders, and each step of each finding has one. */
const plainPath = /^[\w.!~*'()@-][\w.!~*'()@/-]*$/

const encodedPath = (path: string): string =>
  path
    .toWellFormed()
    .replace(/^\/+/, "")
    .split("/")
    .map((segment) => encodeURIComponent(segment).replaceAll("%40", "@"))
    .join("/")

export const locationIn = (file: string, region: Region | undefined, note?: string): SarifLocation => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file), uriBaseId: root },
    ...(region === undefined ? {} : { region }),
  },
  ...(note === undefined ? {} : { message: { text: note } }),
})

export const regionOf = ({ lineStart, lineEnd, columnStart, columnEnd, snippet }: Location): Region => {
  const startLine = Math.max(1, lineStart)
  const endLine = Math.max(startLine, lineEnd)
  const startColumn = columnStart === undefined ? undefined : Math.max(1, columnStart)
  // An end before its start would make consumers reject the region.
  const endColumn =
    columnEnd === undefined || startColumn === undefined
      ? undefined
      : Math.max(endLine === startLine ? startColumn : 1, columnEnd)
  return {
    startLine,
    endLine,
    ...(startColumn === undefined ? {} : { startColumn }),
    ...(endColumn === undefined ? {} : { endColumn }),
    ...(snippet === undefined ? {} : { snippet: { text: snippet.toWellFormed() } }),
  }
}

const webUri =
  /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?](?:[\w.~:@!$&'()*+,;=/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\w.~:@!$&'()*+,;=/?-]|%[0-9A-Fa-f]{2})*)?$/

/** Whether a text is a URI in the strict sense of RFC 3986 that leads to a page; URL parsers accept more. */
export const isWebUri = (text: string): boolean => webUri.test(text) && URL.canParse(text)
