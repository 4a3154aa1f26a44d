import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Floors = Readonly<
  Record<
    string,
    Readonly<Record<string, { readonly imports: readonly string[]; readonly packages?: readonly string[] }>>
  >
>

const root = join(import.meta.dirname, '..', '..')
export const floors: Floors = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Floors

const short = (folder: string): string => folder.replace(/^src\/(?:main\/)?/, '')
const lastName = (folder: string): string => folder.replace(/\/\*$/, '').replace(/^.*\//, '')
const inCell = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || '-'

/** The floors that each floor may import. */
function below(): ReadonlyMap<string, ReadonlySet<string>> {
  const floorOf = Object.entries(floors).flatMap(([floor, folders]) =>
    Object.keys(folders).map((f) => [f, floor] as const),
  )
  return new Map(
    Object.entries(floors).map(([floor, folders]) => {
      const entries = Object.values(folders).flatMap(({ imports }) => imports)
      const reached = floorOf.filter(([folder]) => entries.some((entry) => isAllowed(folder, entry)))
      return [floor, new Set(reached.map(([, other]) => other).filter((other) => other !== floor))]
    }),
  )
}

/** The floors as a mermaid diagram. An arrow points to a floor that may be imported; implied arrows are left out. */
function diagram(): string {
  const lower = below()
  const reaches = (from: string, to: string): boolean =>
    [...(lower.get(from) ?? [])].some((next) => next === to || reaches(next, to))
  const id = (floor: string): string => floor.toLowerCase().replaceAll(' ', '-')
  const boxes = Object.entries(floors).map(
    ([floor, folders]) => `  ${id(floor)}["<b>${floor}</b><br>${Object.keys(folders).map(lastName).join(' · ')}"]`,
  )
  const arrows = [...lower].flatMap(([floor, others]) =>
    [...others]
      .filter((other) => ![...others].some((between) => between !== other && reaches(between, other)))
      .map((other) => `  ${id(floor)} --> ${id(other)}`),
  )
  return ['```mermaid', 'flowchart TD', ...boxes.toReversed(), ...arrows, '```'].join('\n')
}

/** Whether an entry of an allow-list, which may end with `/*`, matches a folder. */
export const isAllowed = (folder: string, entry: string): boolean =>
  entry.endsWith('/*') ? folder === entry.slice(0, -2) || folder.startsWith(entry.slice(0, -1)) : folder === entry

/** The complete table: each folder with its allowed imports. */
const table = (): string =>
  Object.entries(floors)
    .map(([floor, folders]) => {
      const rows = Object.entries(folders).map(
        ([folder, { imports, packages = [] }]) =>
          `| \`${folder}\` | ${inCell(imports.map(short))} | ${inCell(packages)} |`,
      )
      return [`### ${floor}`, '', '| folder | may import | packages |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')

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
