import ReactMarkdown from "react-markdown"
import rehypeSanitize, { defaultSchema } from "rehype-sanitize"
import { Away } from "./Away.tsx"

const schema = {
  ...defaultSchema,
  tagNames: ["p", "ul", "ol", "li", "code", "pre", "em", "strong", "a", "br", "blockquote"],
}

/** Raw HTML in the text stays text: no plug-in parses it. */
const Markdown = ({ text }: { readonly text: string }) => (
  <div className="prose">
    <ReactMarkdown
      rehypePlugins={[[rehypeSanitize, schema]]}
      components={{ a: ({ href, children }) => <Away href={href ?? ""}>{children}</Away> }}
    >
      {text}
    </ReactMarkdown>
  </div>
)

// `React.lazy` takes default exports.
// oxlint-disable-next-line import/no-default-export
export default Markdown
