import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { addressOf } from "../../api/client.ts"
import { me } from "../../api/queries.ts"
import { Menu } from "../../ui/Menu.tsx"

interface Props {
  readonly id: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** The service names the file; a link with `download` keeps this page open. */
const download = (id: string, format: "json" | "markdown" | "sarif" | "html"): void => {
  const link = document.createElement("a")
  link.href = addressOf("analysis.export", { params: { id }, query: { format } })
  link.download = ""
  document.body.append(link)
  link.click()
  link.remove()
}

export const ExportMenu = ({ id, open, onOpenChange }: Props) => {
  const { data } = useQuery(me)
  const navigate = useNavigate()
  const pro = data?.tier === "pro"
  return (
    <Menu
      label="Export"
      open={open}
      onOpenChange={onOpenChange}
      items={[
        { label: "JSON", note: "Complete, machine-readable", onSelect: () => download(id, "json") },
        { label: "Markdown", note: "Report for reading", onSelect: () => download(id, "markdown") },
        { label: "HTML", note: "Self-contained report to share or print", onSelect: () => download(id, "html") },
        pro
          ? { label: "SARIF 2.1.0", note: "For code scanning", onSelect: () => download(id, "sarif") }
          : {
              label: "SARIF 2.1.0: part of the Pro plan",
              note: "Opens the plans",
              onSelect: () => void navigate({ to: "/subscription" }),
            },
      ]}
    />
  )
}
