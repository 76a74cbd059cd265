/** How many texts are remembered: the service has some hundred. */
const most = 500

/** Milliseconds within which a statement must finish to share a connection again. */
const quick = 100

/** The texts of statements for which a shared connection had no time, until one of them is quick again. */
export class SlowStatements {
  private readonly texts = new Set<string>()

  has(sql: string): boolean {
    return this.texts.has(sql)
  }

  add(sql: string): void {
    if (this.texts.size >= most) this.texts.clear()
    this.texts.add(sql)
  }

  took(sql: string, milliseconds: number): void {
    if (milliseconds < quick) this.texts.delete(sql)
  }
}
