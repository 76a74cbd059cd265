export const Brand = () => (
  <span className="brand">
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z" fill="var(--accent)" />
      <path d="M12 6.5l4.6 11h-2.3l-1-2.6h-2.7l-1 2.6H7.4z" fill="var(--on-accent)" />
    </svg>
    Assay
  </span>
)
