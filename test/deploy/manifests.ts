import { parseAllDocuments } from "yaml"

/** As much of a Kubernetes object as the tests look at. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  // The rest differs by kind; each test names what it expects there.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly spec?: any
  readonly data?: Readonly<Record<string, string>>
}

export const manifestsOf = (text: string): ReadonlyArray<Manifest> =>
  // The renderer's output is Kubernetes objects.
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

export interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean }
  }
}

export interface PodSpec {
  readonly terminationGracePeriodSeconds?: number
  readonly automountServiceAccountToken?: boolean
  readonly containers: ReadonlyArray<{
    readonly name: string
    readonly image: string
    readonly args?: ReadonlyArray<string>
    readonly env?: ReadonlyArray<EnvironmentVariable>
    readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
    readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
    readonly resources: { readonly limits: { readonly memory: string } }
  }>
}

/** What a workload makes pods of. */
export interface PodTemplate {
  readonly workload: Manifest
  readonly labels: Readonly<Record<string, string>>
  readonly spec: PodSpec
}

export const podTemplates = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<PodTemplate> =>
  manifests
    .filter((manifest) => manifest.spec?.template !== undefined)
    .map((workload) => ({
      workload,
      labels: workload.spec.template.metadata.labels,
      spec: workload.spec.template.spec,
    }))

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: ReadonlyArray<{
    readonly key: string
    readonly operator: string
    readonly values: ReadonlyArray<string>
  }>
}

export const selects = (selector: Selector, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every(({ key, operator, values }) => {
    if (operator !== "In") throw new Error(`the test does not know the operator ${operator}`)
    return values.includes(labels[key] ?? "")
  })
