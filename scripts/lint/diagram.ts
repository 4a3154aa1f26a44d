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

const short = (folder: string): string => folder.replace(/^src\/(main\/)?/, '')
const inCell = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || '-'

/** The floors as a mermaid diagram: an arrow leads from a floor to each one that it may import. */
export function diagram(): string {
  const floorOf = new Map(
    Object.entries(floors).flatMap(([floor, folders]) => Object.keys(folders).map((f) => [f, floor])),
  )
  const id = (floor: string): string => floor.toLowerCase().replaceAll(' ', '-')
  const boxes = Object.entries(floors).map(
    ([floor, folders]) => `  ${id(floor)}["<b>${floor}</b><br>${Object.keys(folders).map(short).join('<br>')}"]`,
  )
  const arrows = Object.entries(floors).flatMap(([floor, folders]) => {
    const below = Object.values(folders).flatMap(({ imports }) =>
      imports.flatMap((allowed) => [...floorOf].flatMap(([folder, on]) => (isAllowed(folder, allowed) ? [on] : []))),
    )
    return [...new Set(below)].filter((other) => other !== floor).map((other) => `  ${id(floor)} --> ${id(other)}`)
  })
  return ['```mermaid', 'flowchart TD', ...boxes.toReversed(), ...arrows, '```'].join('\n')
}

/** Whether an entry of an allow-list, which may end with `/*`, names a folder. */
export const isAllowed = (folder: string, entry: string): boolean =>
  entry.endsWith('/*') ? folder === entry.slice(0, -2) || folder.startsWith(entry.slice(0, -1)) : folder === entry

/** The whole table: each folder with what it may import. */
export const table = (): string =>
  Object.entries(floors)
    .map(([floor, folders]) => {
      const rows = Object.entries(folders).map(
        ([folder, { imports, packages = [] }]) =>
          `| \`${folder}\` | ${inCell(imports.map(short))} | ${inCell(packages)} |`,
      )
      return [`### ${floor}`, '', '| folder | may import | packages |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')

/** The pages that show a part of the table, between two comments. */
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
