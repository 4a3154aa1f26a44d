import type { CurrentPage } from '../db/page-fonts.ts'
import type { AskedFace } from '../records/asked-faces.ts'
import type { FamilyUsage, FontFace, Users } from '../views/fonts.ts'
import { faceFor, isExact } from './face-match.ts'

/** Lists at most this many names; the count includes all. */
const namesAtMost = 1_000

/** Collects the users of a family and its faces. Faces that differ only in their unicode range count as one. */
export function familyUse(all: readonly FontFace[]) {
  const faces = new Map(all.map(({ weight, style }) => [JSON.stringify([weight, style]), { weight, style }]))
  const named = new Set<CurrentPage>()
  const shown = new Map([...faces.values()].map((face) => [face, new Set<CurrentPage>()]))
  const lacking = new Map<string, { readonly weight: string; readonly style: string; readonly by: Set<CurrentPage> }>()
  return {
    named,
    show(page: CurrentPage, { weight, style }: AskedFace): void {
      const face = faceFor([...shown.keys()], { weight, style })
      if (face === null) return
      shown.get(face)?.add(page)
      if (isExact(face, { weight, style })) return
      const key = JSON.stringify([weight, style])
      const lacks = lacking.get(key) ?? { weight: String(weight), style, by: new Set() }
      lacking.set(key, lacks)
      lacks.by.add(page)
    },
    usage: (): FamilyUsage => ({
      family: all[0]?.family ?? '',
      ...users([...named]),
      faces: [...shown].map(([face, by]) => ({ ...face, ...users([...by]) })),
      lacking: [...lacking.values()].map(({ by, ...face }) => ({ ...face, ...users([...by]) })),
    }),
  }
}

export const users = (pages: readonly CurrentPage[]): Users => ({
  count: pages.length,
  materials: pages.slice(0, namesAtMost).map(({ materialId, title }) => ({ materialId, title })),
})
