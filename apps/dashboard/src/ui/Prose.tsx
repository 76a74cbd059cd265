import { lazy, Suspense } from "react"

const Markdown = lazy(() => import("./Markdown.tsx"))

/** A rule's or a model's text: Markdown, sanitized, with no element that loads anything. */
export const Prose = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<div className="prose plain">{text}</div>}>
    <Markdown text={text} />
  </Suspense>
)
