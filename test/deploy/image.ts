import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { buildContext } from "./buildContext.ts"
import { buildStep, type Layers } from "./container.ts"
import { execForm, type Stage, stagesOf } from "./dockerfile.ts"
import type { Scratch } from "./scratch.ts"

/** The configuration of an image for its containers. */
export interface Image {
  readonly layers: Layers
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly entryPoint: ReadonlyArray<string>
  readonly command: ReadonlyArray<string>
  readonly healthCheck: ReadonlyArray<string>
  /** The folder with the files of the last stage. */
  readonly own: string
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** What the official Node image adds to Debian: Node and npm in /usr/local. */
const nodeLayer = (project: string, folder: string): void => {
  const local = join(folder, "usr/local")
  mkdirSync(join(local, "bin"), { recursive: true })
  cpSync(realpathSync(join(project, "node_modules/.bin/node")), join(local, "bin/node"))
  chmodSync(join(local, "bin/node"), 0o755)
  const npm = dirname(dirname(realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim())))
  cpSync(npm, join(local, "lib/node_modules/npm"), { recursive: true })
  for (const name of ["npm", "npx"]) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name))
}

/** Executes the stages of the project's Dockerfile, each on `base`, a root file system with Debian. */
export const buildImage = async (project: string, base: string, scratch: Scratch): Promise<Image> => {
  const context = buildContext(project)
  const node = join(scratch.folder, "node")
  nodeLayer(project, scratch.outside(node))
  const built = new Map<string, string>()
  let steps = 0

  const build = async (stage: Stage, index: number): Promise<Image> => {
    const layer = join(scratch.folder, `stage-${index}`)
    const own = scratch.outside(layer)
    mkdirSync(own)
    const image: { -readonly [K in keyof Image]: Image[K] } = {
      layers: [layer, node, base],
      directory: "/",
      environment: { PATH: path, HOME: "/root" },
      user: "root",
      entryPoint: [],
      command: [],
      healthCheck: [],
      own,
    }

    const copy = (value: string): void => {
      const words = value.split(" ")
      const from = words[0]!.startsWith("--from=") ? words.shift()!.slice("--from=".length) : undefined
      const target = words.pop()!
      const destination = join(own, posix.resolve(image.directory, target))
      for (const source of words) {
        if (from !== undefined) {
          mkdirSync(dirname(destination), { recursive: true })
          execFileSync("cp", ["--archive", join(built.get(from)!, source), destination])
          continue
        }
        const files = context.filter((file) => file === source || file.startsWith(`${source}/`))
        if (files.length === 0) throw new Error(`COPY ${source}: the build context has no such file`)
        for (const file of files) {
          const relative = file === source ? (target.endsWith("/") ? source : "") : file.slice(source.length + 1)
          cpSync(join(project, file), join(destination, relative))
        }
      }
    }

    for (const { keyword, value } of stage.instructions) {
      if (keyword === "WORKDIR") {
        image.directory = posix.resolve(image.directory, value)
        mkdirSync(join(own, image.directory), { recursive: true })
      } else if (keyword === "COPY") copy(value)
      else if (keyword === "RUN") {
        const { layers, directory, environment } = image
        await buildStep({ layers, directory, environment, command: ["sh", "-c", value] }, scratch, `run-${steps++}`)
      } else if (keyword === "ENV") {
        const pairs = value.split(/\s+/).map((pair) => /^(\w+)=(.*)$/.exec(pair)!.slice(1))
        image.environment = Object.assign(image.environment, Object.fromEntries(pairs))
      } else if (keyword === "USER") image.user = value
      else if (keyword === "ENTRYPOINT") image.entryPoint = execForm(value)
      else if (keyword === "CMD") image.command = execForm(value)
      else if (keyword === "HEALTHCHECK") image.healthCheck = execForm(value.slice(value.indexOf("[")))
      else if (!["ARG", "LABEL", "EXPOSE"].includes(keyword)) throw new Error(`${keyword} is not known to this test`)
    }
    return image
  }

  let last: Image | undefined
  for (const [index, stage] of stagesOf(readFileSync(join(project, "Dockerfile"), "utf8")).entries()) {
    last = await build(stage, index)
    if (stage.name !== undefined) built.set(stage.name, last.own)
  }
  if (last === undefined) throw new Error("the Dockerfile has no stage")
  return last
}
