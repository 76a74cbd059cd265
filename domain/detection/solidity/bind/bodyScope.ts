import type { ContractModel, Declaration, LocalVariable, SourceModel } from "../model.ts"
import type { Scopes } from "../scope.ts"
import type * as S from "../syntax.ts"
import type { Type } from "../types.ts"

/** What names mean at one place in a body: its locals block by block, then its contract, then its file. */
export class BodyScope {
  readonly scopes: Scopes
  source!: SourceModel
  contract: ContractModel | undefined
  private blocks: Array<Map<string, LocalVariable>> = []

  constructor(scopes: Scopes) {
    this.scopes = scopes
  }

  /** Leaves the previous body and enters a contract, or the file level. */
  enter(source: SourceModel, contract: ContractModel | undefined): void {
    this.source = source
    this.contract = contract
    this.blocks = []
  }

  introduce(variable: LocalVariable): void {
    if (variable.name === "") return
    // Before 0.5, a local lived from the start of the function to its end.
    const block = this.source.version.before05 ? this.blocks[0]! : this.blocks[this.blocks.length - 1]!
    block.set(variable.name, variable)
  }

  /** Whatever `run` introduces is visible only inside it. */
  inBlock(run: () => void): void {
    this.blocks.push(new Map())
    run()
    this.blocks.pop()
  }

  lookup(name: string): ReadonlyArray<Declaration> {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const found = this.blocks[i]!.get(name)
      if (found !== undefined) return [found]
    }
    if (this.contract !== undefined) {
      const found = this.scopes.member(this.contract, name)
      if (found.length > 0) return found
    }
    return this.scopes.global(this.source, name)
  }

  path(path: ReadonlyArray<string>): Declaration | undefined {
    return this.scopes.path(path, this.source, this.contract)
  }

  type(typeName: S.TypeName | undefined, location?: S.DataLocation): Type {
    return this.scopes.type(typeName, this.source, this.contract, location)
  }
}
