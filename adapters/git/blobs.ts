/** A blob's size in bytes; absent where the server kept it back as too large, or it is no blob. */
export type BlobSizes = ReadonlyMap<string, number>

/** Reads `git cat-file --batch-check`. */
export const readSizes = async (stdout: AsyncIterable<Buffer>): Promise<BlobSizes> => {
  const sizes = new Map<string, number>()
  let rest = ""
  for await (const chunk of stdout) {
    const lines = (rest + chunk.toString("latin1")).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const [id, type, size] = line.split(" ")
      if (id !== undefined && type === "blob" && size !== undefined) sizes.set(id, Number(size))
    }
  }
  return sizes
}

/** Reads `git cat-file --batch`, one blob in memory at a time. Ends early where the output does. */
export const readContents = async (
  stdout: AsyncIterable<Buffer>,
  onBlob: (id: string, content: Buffer) => Promise<void>,
): Promise<void> => {
  let pending: Array<Buffer> = []
  let length = 0
  let header: { readonly id: string; readonly size: number } | undefined
  for await (const chunk of stdout) {
    pending.push(chunk)
    length += chunk.length
    // Joined only once the blob is whole: chunk by chunk it would cost the square of its size.
    if (header !== undefined && length < header.size + 1) continue
    let buffer = Buffer.concat(pending)
    while (true) {
      if (header === undefined) {
        const end = buffer.indexOf("\n")
        if (end === -1) break
        const [id, , size] = buffer.toString("latin1", 0, end).split(" ")
        buffer = buffer.subarray(end + 1)
        if (id === undefined || size === undefined) continue
        header = { id, size: Number(size) }
      }
      if (buffer.length < header.size + 1) break
      await onBlob(header.id, buffer.subarray(0, header.size))
      buffer = buffer.subarray(header.size + 1)
      header = undefined
    }
    pending = [buffer]
    length = buffer.length
  }
}
