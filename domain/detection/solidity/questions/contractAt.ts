import type { SourceModel } from "../model.ts"

/** The name of the contract around a place in a file; empty outside of all contracts. */
export const contractAt = ({ contracts }: SourceModel, place: number): string =>
  contracts.find(({ node }) => node.start <= place && place < node.end)?.name ?? ""
