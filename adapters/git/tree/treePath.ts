/** Git's own folder as a case-insensitive file system, NTFS short names or HFS+ would spell it. */
const gitFolder = /^(?:\.git|git~\d+)[. ]*$/i

/** Characters that HFS+ passes over in names, so that they can hide `.git` (git's `is_hfs_dotgit`). */
const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/

/** Why a path of a tree may not be written below a directory; undefined if it may. */
export const pathObjection = (path: string): string | undefined => {
  if (Buffer.byteLength(path) > 1_024) return "has a path of more than 1,024 bytes"
  if (control.test(path) || path.includes("\\")) return "has a name with control characters or backslashes"
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "has a path that leads outside the repository"
    if (gitFolder.test(segment.replaceAll(invisible, ""))) return "is in a folder reserved for git"
    if (Buffer.byteLength(segment) > 255) return "has a name of more than 255 bytes"
  }
  return undefined
}
