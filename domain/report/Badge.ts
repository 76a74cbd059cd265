import type { AnalysisStatus } from "../analysis/Analysis.ts"

/** What a badge may show about an analysis: its state and its findings per severity. */
export interface BadgeData {
  readonly status: AnalysisStatus
  readonly totalFindings: number
  readonly criticalFindings: number
  readonly highFindings: number
  readonly mediumFindings: number
  readonly lowFindings: number
  readonly informationalFindings: number
}

/** https://shields.io/badges/endpoint-badge */
export interface ShieldsBadge {
  readonly schemaVersion: 1
  readonly label: string
  readonly message: string
  readonly color: string
  readonly isError?: true
}

const label = "security analysis"

/** Each is dark enough for white text: a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const colors = {
  critical: "#a40e26",
  high: "#b93a05",
  medium: "#8a5a00",
  low: "#5b6b00",
  informational: "#0b62a8",
  none: "#1a7536",
  unfinished: "#57606a",
  failed: "#3d3d3d",
} as const

interface Face {
  readonly message: string
  readonly color: string
}

const completedFace = (badge: BadgeData): Face => {
  const counts = [
    ["critical", badge.criticalFindings],
    ["high", badge.highFindings],
    ["medium", badge.mediumFindings],
    ["low", badge.lowFindings],
    ["informational", badge.informationalFindings],
  ] as const
  const present = counts.filter(([, number]) => number > 0)
  const [worst] = present
  if (worst === undefined) return { message: "no findings", color: colors.none }
  const message = present.map(([severity, number]) => `${number} ${severity}`).join(", ")
  return { message, color: colors[worst[0]] }
}

/** The worst severity determines the color; an analysis without a result has its own style. */
const faceOf = (badge: BadgeData): Face => {
  switch (badge.status) {
    case "completed":
      return completedFace(badge)
    case "failed":
      return { message: "failed", color: colors.failed }
    case "pending":
    case "running":
      return { message: badge.status, color: colors.unfinished }
  }
}

export const shieldsBadge = (badge: BadgeData): ShieldsBadge => {
  const { message, color } = faceOf(badge)
  return {
    schemaVersion: 1,
    label,
    message,
    color: color,
    ...(badge.status === "failed" ? { isError: true } : {}),
  }
}

/** Widths in Verdana at 11 px, in tenths of a pixel, of the characters in our badges. */
const widths: Readonly<Record<string, number>> = {
  " ": 39, ",": 40, a: 66, b: 69, c: 57, d: 69, e: 66, f: 39, g: 69, h: 70, i: 30, l: 30, m: 107, n: 70, o: 67, p: 69,
  r: 47, s: 57, t: 43, u: 70, w: 90, y: 65,
} // prettier-ignore

/**
 * Verdana's digits are all equally wide; an unknown character counts as a wide one, so that nothing is ever cut off.
 */
const widthOf = (text: string): number => {
  let tenths = 0
  for (const character of text) tenths += /\d/.test(character) ? 70 : (widths[character] ?? 108)
  return Math.ceil(tenths / 10)
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

const padding = 6

/** A self-contained badge image: no font, no script, no id that could clash when inlined. */
export const badgeSvg = (badge: BadgeData): string => {
  const { message, color } = faceOf(badge)
  const left = widthOf(label) + 2 * padding
  const right = widthOf(message) + 2 * padding
  const width = left + right
  const title = escapeXml(`${label}: ${message}`)
  const text = (x: number, content: string): string =>
    `<text x="${x + padding}" y="14" textLength="${widthOf(content)}" lengthAdjust="spacingAndGlyphs">${escapeXml(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<path fill="#333" d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    `<path fill="${color}" d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z"/>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    text(0, label) + text(left, message),
    `</g>`,
    `</svg>`,
  ].join("")
}
