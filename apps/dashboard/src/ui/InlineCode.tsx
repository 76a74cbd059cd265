/** A sentence in which backticks set code apart. */
export const InlineCode = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split("`")
      .map((part, index, all) => (index % 2 === 1 && index < all.length - 1 ? <code key={index}>{part}</code> : part))}
  </>
)
