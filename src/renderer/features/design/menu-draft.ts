import { isMenuAddress } from '@galley/library/records'
import type { MenuItem } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'

/** A menu item as typed; `key` identifies it while it moves. */
export interface MenuDraft {
  readonly key: string
  readonly label: string
  readonly kind: 'material' | 'url'
  readonly materialId: MaterialId | null
  readonly url: string
}

export const menuDraftOf = (menu: readonly MenuItem[]): readonly MenuDraft[] =>
  menu.map(({ label, target }, at) => ({
    key: `kept ${at}`,
    label,
    kind: 'material' in target ? 'material' : 'url',
    materialId: 'material' in target ? target.material : null,
    url: 'url' in target ? target.url : '',
  }))

/** The problem of an item, or null. */
export function menuProblem({ label, kind, materialId, url }: MenuDraft): 'label' | 'page' | 'url' | null {
  if (label.trim() === '') return 'label'
  if (kind === 'material') return materialId === null ? 'page' : null
  return isMenuAddress(url.trim()) ? null : 'url'
}

/** The menu of valid items. */
export const menuOf = (lines: readonly MenuDraft[]): readonly MenuItem[] =>
  lines.map(({ label, kind, materialId, url }) => ({
    label: label.trim(),
    target: kind === 'material' && materialId !== null ? { material: materialId } : { url: url.trim() },
  }))

/** The items with one of them moved up or down. */
export function moved(lines: readonly MenuDraft[], at: number, step: -1 | 1): readonly MenuDraft[] {
  const line = lines[at]
  if (line === undefined || at + step < 0 || at + step >= lines.length) return lines
  return lines.toSpliced(at, 1).toSpliced(at + step, 0, line)
}
