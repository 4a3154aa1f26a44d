import type { FontFace as Face } from '@galley/library/records'
import { useEffect, useState } from 'react'

import { storedFileUrl } from '../../../ipc/stored-file-url.ts'

export type LoadedFace =
  | { readonly kind: 'loading' | 'missing' | 'damaged' }
  | { readonly kind: 'loaded'; readonly family: string }

/** Loads the stored file of a face under a unique family name, so that it never replaces one of the window's fonts. */
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
      // Rejects if the file is not a font; the details do not help the reader.
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

/** The weight range of a face from CSS: `700`, `bold`, or both ends. */
export function weightRange(weight: string): WeightRange {
  const named = { normal: 400, bold: 700 }[weight]
  if (named !== undefined) return { from: named, to: named }
  const [from = 400, to = from] = weight.split(/\s+/).map(Number)
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : { from: 400, to: 400 }
}

/** A weight for display: `100 900` as a range, `bold` as its number. */
export function shownWeights(weight: string): string {
  const { from, to } = weightRange(weight)
  return from === to ? `${from}` : `${from}–${to}`
}

/**
 * Whether a loaded face lacks characters of a text: those are as wide as in the fallback alone, for two different
 * fallbacks. A fallback glyph must not pass for a specimen of the face.
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
