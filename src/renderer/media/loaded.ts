import { useEffect, useState } from 'react'

import { storedFileUrl } from '../../ipc/stored-file-url.ts'
import { useBridge } from '../bridge/use-bridge.ts'
import type { ShownSide } from './item.ts'

/** A picture that is decoded, or the first frame of a film. */
export interface Loaded {
  readonly url: string
  readonly image: HTMLImageElement
  /** Of the picture as it is shown, in pixels. */
  readonly width: number
  readonly height: number
  /** Whether it can be enlarged without loss. */
  readonly isDrawing: boolean
  /** Of the file, which may be a film that is larger than its frame. */
  readonly pixels: { readonly width: number; readonly height: number }
  /** The length of a film; null: it does not say so. */
  readonly seconds?: number | null
}

/** `none`: there is nothing on this side, or nothing that can be shown. */
export type Loading =
  | { readonly kind: 'none' | 'loading' | 'broken' }
  | { readonly kind: 'loaded'; readonly loaded: Loaded }

/** Loads the picture of a side. */
export function useLoaded(side: ShownSide | null): Loading {
  const bridge = useBridge()
  const [sha256, name, type] = [side?.file?.sha256 ?? null, side?.name ?? '', side?.file?.type ?? '']
  const medium = mediumOf(type)
  const key = JSON.stringify([sha256, name, type])
  const [known, setKnown] = useState<{ readonly key: string; readonly loading: Loading } | null>(null)
  useEffect(() => {
    if (sha256 === null || medium === null) return
    let isWanted = true
    const load = async (): Promise<Loaded | null> => {
      if (medium === 'picture') return decoded(storedFileUrl({ sha256, name }), type === 'image/svg+xml')
      const film = await bridge.call('filmFrame', { sha256, name })
      const frame = film && (await decoded(film.url, false))
      return film && frame && { ...frame, pixels: { width: film.width, height: film.height }, seconds: film.seconds }
    }
    const show = (loaded: Loaded | null): void => {
      if (isWanted) setKnown({ key, loading: loaded === null ? { kind: 'broken' } : { kind: 'loaded', loaded } })
    }
    load().then(show, () => show(null))
    return () => {
      isWanted = false
    }
  }, [bridge, sha256, name, type, medium, key])
  if (medium === null) return { kind: 'none' }
  return known?.key === key ? known.loading : { kind: 'loading' }
}

/** What the lightbox shows of a file of this type; null: nothing. */
export const mediumOf = (type: string): 'picture' | 'film' | null =>
  type.startsWith('image/') ? 'picture' : type.startsWith('video/') ? 'film' : null

async function decoded(url: string, isDrawing: boolean): Promise<Loaded> {
  const image = new Image()
  image.src = url
  await image.decode()
  // A drawing may have no size of its own.
  const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 150]
  return { url, image, width, height, isDrawing, pixels: { width, height } }
}
