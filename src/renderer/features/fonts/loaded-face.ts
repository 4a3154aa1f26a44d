import { useEffect, useState } from 'react'

import type { FontFace as Face } from '../../../contract/ipc/fonts.ts'
import { storedFileUrl } from '../../../contract/ipc/stored-file-url.ts'

export type LoadedFace =
  | { readonly kind: 'loading' | 'missing' | 'damaged' }
  | { readonly kind: 'loaded'; readonly family: string }

/** Gives the stored file of a face to the page, under a name of its own: never in place of a font of the window. */
export function useLoadedFace(face: Face): LoadedFace {
  const stored = face.files.find((file) => file.stored !== null)?.stored
  const [loaded, setLoaded] = useState<LoadedFace>({ kind: stored ? 'loading' : 'missing' })
  const sha256 = stored?.sha256
  const name = stored?.name
  useEffect(() => {
    if (sha256 === undefined || name === undefined) return undefined
    const family = `stored-${sha256}-${face.weight}-${face.style}`.replaceAll(/[^a-z0-9]+/gi, '-')
    const font = new FontFace(family, `url("${storedFileUrl({ sha256, name })}")`, {
      weight: face.weight,
      style: face.style,
    })
    let isShown = true
    const load = async (): Promise<void> => {
      // Rejects for bytes that are no font; what exactly is wrong with them is not for the reader.
      const isFont = await font.load().then(Boolean, () => false)
      if (!isShown) return
      if (isFont) document.fonts.add(font)
      setLoaded(isFont ? { kind: 'loaded', family } : { kind: 'damaged' })
    }
    void load()
    return () => {
      isShown = false
      document.fonts.delete(font)
    }
  }, [sha256, name, face.weight, face.style])
  return loaded
}

export interface WeightRange {
  readonly from: number
  readonly to: number
}

/** The weights of a face as CSS writes them: `700`, `bold`, or the two ends of a range. */
export function weightRange(weight: string): WeightRange {
  const named = { normal: 400, bold: 700 }[weight]
  if (named !== undefined) return { from: named, to: named }
  const [from = 400, to = from] = weight.split(/\s+/).map(Number)
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : { from: 400, to: 400 }
}

/** `100 900` as a range, `bold` as its number. */
export function shownWeights(weight: string): string {
  const { from, to } = weightRange(weight)
  return from === to ? `${from}` : `${from}–${to}`
}

/**
 * Whether some characters of a text are not in a loaded face: they are as wide as without it, whatever stands behind it.
 * What another font would show is no specimen of this one, and has to be told apart.
 */
export function lacksCharacters(family: string, text: string): boolean {
  const canvas = document.createElement('canvas').getContext('2d')
  if (canvas === null) return false
  const widthOf = (character: string, families: string): number => {
    canvas.font = `100px ${families}`
    return canvas.measureText(character).width
  }
  const isAsWithout = (character: string, behind: string): boolean =>
    widthOf(character, `"${family}", ${behind}`) === widthOf(character, behind)
  return [...new Set(text.replaceAll(/\s/g, ''))].some(
    (character) => isAsWithout(character, 'serif') && isAsWithout(character, 'monospace'),
  )
}
