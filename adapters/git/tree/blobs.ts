/** Reads the blobs of `git cat-file --batch`, one in memory at a time. Ends early if the output does. */
export const readContents = async (
  stdout: AsyncIterable<Buffer>,
  onBlob: (id: string, content: Buffer) => Promise<void>,
): Promise<void> => {
  let pending: Array<Buffer> = []
  let length = 0
  let header: { readonly id: string; readonly type: string; readonly size: number } | undefined
  for await (const chunk of stdout) {
    pending.push(chunk)
    length += chunk.length
    // Joined only once the blob is complete: joining chunk by chunk would take quadratic time.
    if (header !== undefined && length < header.size + 1) continue
    let buffer = Buffer.concat(pending)
    while (true) {
      if (header === undefined) {
        const end = buffer.indexOf("\n")
        if (end === -1) break
        const [id, type, size] = buffer.toString("latin1", 0, end).split(" ")
        buffer = buffer.subarray(end + 1)
        if (id === undefined || type === undefined || size === undefined) continue
        header = { id, type, size: Number(size) }
      }
      if (buffer.length < header.size + 1) break
      if (header.type === "blob") await onBlob(header.id, buffer.subarray(0, header.size))
      buffer = buffer.subarray(header.size + 1)
      header = undefined
    }
    pending = [buffer]
    length = buffer.length
  }
}
