interface Props {
  readonly href: string
  readonly children: React.ReactNode
}

/** A link to another site if it is a web URL; `javascript:` and the like become text. */
export const Away = ({ href, children }: Props) =>
  /^https?:\/\//i.test(href) && URL.canParse(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <span className="break">{children}</span>
  )
