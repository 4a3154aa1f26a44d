import { keysIn } from '@galley/wire'

/** Picture and video types that browsers show and sites accept. */
const types = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
} as const

export type MediaKind = keyof typeof types

/** For the `accept` attribute of a file input. */
const acceptOf = (kind: MediaKind): string => types[kind].join(',')

export const kindOf = (file: File): MediaKind | null =>
  keysIn(types).find((kind) => types[kind].some((type) => type === file.type)) ?? null

/** Size in pixels, so that the published page reserves space while loading; null when unknown. */
export interface Dimensions {
  readonly width: number | null
  readonly height: number | null
}

const unknown: Dimensions = { width: null, height: null }

const known = (width: number, height: number): Dimensions =>
  width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : unknown

/** Reads the natural size of a picture or video. SVG drawings have none: they scale. */
export function measure(kind: MediaKind, address: string, type: string): Promise<Dimensions> {
  if (type === 'image/svg+xml') return Promise.resolve(unknown)
  return new Promise((resolve) => {
    if (kind === 'image') {
      const image = new Image()
      image.onload = () => resolve(known(image.naturalWidth, image.naturalHeight))
      image.onerror = () => resolve(unknown)
      image.src = address
      return
    }
    const video = document.createElement('video')
    video.preload = 'metadata'
    video.onloadedmetadata = () => resolve(known(video.videoWidth, video.videoHeight))
    video.onerror = () => resolve(unknown)
    video.src = address
  })
}

/** Opens a file dialog. Resolves with no files when it is cancelled. */
export function chooseFiles(kind: MediaKind, multiple: boolean): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    const settle = (): void => {
      resolve([...(input.files ?? [])])
      input.remove()
    }
    input.type = 'file'
    input.accept = acceptOf(kind)
    input.multiple = multiple
    input.hidden = true
    input.onchange = settle
    input.oncancel = settle
    // Without a place in the document, the input could be garbage-collected while the dialog is open.
    document.body.append(input)
    input.click()
  })
}
