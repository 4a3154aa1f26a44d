import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/**
 * By package, or part of the app. `floors`: its folders; each may import those of the floors before its own. `only`: the
 * packages that a folder may import, where its package declares more.
 */
export const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Readonly<
  Record<
    string,
    {
      readonly floors: readonly (readonly string[])[]
      readonly only?: Readonly<Record<string, readonly string[]>>
    }
  >
>

interface Manifest {
  readonly description: string
  readonly dependencies?: Readonly<Record<string, string>>
}
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest

const ownName = (dependency: string): string | null => /^@galley\/(.+)$/.exec(dependency)?.[1] ?? null

/** The packages of this repository, with those that each may import. */
export const workspaces: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(join(root, 'packages')).map((name) => [
    name,
    Object.keys(manifestOf(name).dependencies ?? {}).flatMap((each) => ownName(each) ?? []),
  ]),
)

const inCell = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || '-'

/** The packages as a mermaid diagram. An arrow points to what may be imported; implied arrows are left out. */
function diagram(): string {
  const lower = new Map([...workspaces, ['app', [...workspaces.keys()].filter((name) => name !== 'kit')] as const])
  const reaches = (from: string, to: string): boolean =>
    (lower.get(from) ?? []).some((next) => next === to || reaches(next, to))
  const boxes = [...lower.keys()].map((name) =>
    name === 'app'
      ? '  app["<b>src</b><br>The app: windows, review, texts"]'
      : `  ${name}["<b>${name}</b><br>${manifestOf(name).description}"]`,
  )
  const arrows = [...lower].flatMap(([name, others]) =>
    others
      .filter((other) => !others.some((between) => between !== other && reaches(between, other)))
      .map((other) => `  ${name} --> ${other}`),
  )
  return ['```mermaid', 'flowchart TD', ...boxes.toReversed(), ...arrows, '```'].join('\n')
}

const nameOf = (folder: string): string => (folder === '.' ? 'the rest' : `\`${folder}\``)

/** The floors of each part, the lowest first, and what some folders are limited to. */
const table = (): string =>
  Object.entries(layers)
    .map(([part, { floors, only = {} }]) => {
      const order = floors.map((names) => names.map(nameOf).join(', ')).join(' → ')
      const limits = Object.entries(only).map(
        ([folder, names]) =>
          `  - ${nameOf(folder)} imports ${names.length === 0 ? 'no package' : `only ${inCell(names)}`}`,
      )
      return [`- \`${part}\`: ${order}`, ...limits].join('\n')
    })
    .join('\n')

/** The pages with a part of the table between two comments. */
export const pages = [
  { file: 'README.md', name: 'floors', content: diagram },
  { file: 'docs/architecture.md', name: 'layers', content: table },
] as const

export const between = (name: string): RegExp => new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`)

if (import.meta.main)
  for (const { file, name, content } of pages) {
    const path = join(root, file)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(between(name), (_, start, end) => `${start}\n${content()}\n${end}`),
    )
  }
