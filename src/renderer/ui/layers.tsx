import { useLayoutEffect, useRef, useState } from 'react'
import type { CSSProperties } from 'react'

import styles from './layers.module.css'

/** How two pictures are laid above each other. */
export const layerModes = ['swipe', 'onion', 'difference'] as const
export type LayerMode = (typeof layerModes)[number]

interface Slice {
  readonly top: number
  readonly url: string
}

/** A picture that was made in the window. */
interface Drawing {
  readonly top: number
  readonly bitmap: ImageBitmap
}

interface Part {
  readonly top: number
  readonly height: number
}

interface Props {
  readonly label: string
  readonly mode: LayerMode
  /** In pixels of the pictures. */
  readonly width: number
  /** What lies at the same height in both. */
  readonly bands: readonly { readonly before: Part; readonly after: Part }[]
  readonly before: readonly Slice[]
  readonly after: readonly Slice[]
  /** Where the second differs, transparent elsewhere. */
  readonly masks: readonly (Slice | Drawing)[]
  /** How much of the second one is seen, from 0 to 1. */
  readonly amount: number
  /** Where to scroll to, in pixels of the second picture; null: stays. */
  readonly at: number | null
  /** Whether its width or all of it fits into the room; otherwise a pixel is a pixel. */
  readonly fit?: 'width' | 'all' | 'none'
  /** Whether it is enlarged to fit. */
  readonly isScalable?: boolean
}

/** Two pictures of slices, the second above the first, with what belongs together at the same height. */
export function Layers({
  label,
  mode,
  width,
  bands,
  before,
  after,
  masks,
  amount,
  at,
  fit = 'width',
  isScalable = false,
}: Props) {
  const room = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width, height: Infinity })
  useLayoutEffect(() => {
    const element = room.current
    if (element === null) return
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight })
    // Before the first frame, which would have another size.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const tops = topsOf(bands)
  const height = bands.reduce((sum, { before, after }) => sum + Math.max(before.height, after.height), 0)
  const scale =
    fit === 'none'
      ? 1
      : Math.min(isScalable ? Infinity : 1, size.width / width, fit === 'all' ? size.height / height : Infinity)
  useLayoutEffect(() => {
    if (at === null || room.current === null) return
    const number = Math.max(
      0,
      bands.findLastIndex(({ after }) => after.top <= at),
    )
    const top = (tops[number] ?? 0) + at - (bands[number]?.after.top ?? 0)
    room.current.scrollTop = top * scale - room.current.clientHeight / 3
    // Resizing does not scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [at])
  const cut = `${(100 * (1 - amount)).toFixed(2)}%`
  const upper: Record<LayerMode, CSSProperties> = {
    swipe: { clipPath: `inset(0 0 0 ${cut})` },
    onion: { opacity: amount },
    difference: { filter: 'grayscale(1)', opacity: 0.3 },
  }
  return (
    // Keyboards scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={room} className={styles.room} role="region" tabIndex={0} aria-label={label} data-layers={mode}>
      <div className={styles.page} style={{ width, zoom: scale }}>
        {bands.map((band, number) => (
          <div
            key={tops[number]}
            className={styles.band}
            style={{ height: Math.max(band.before.height, band.after.height) }}
          >
            {mode !== 'difference' && <Side slices={before} part={band.before} />}
            <div className={styles.upper} style={upper[mode]}>
              <Side slices={after} part={band.after} />
            </div>
            {mode === 'difference' && <Side slices={masks} part={band.after} />}
          </div>
        ))}
        {mode === 'swipe' && <div className={styles.edge} style={{ insetInlineStart: cut }} />}
      </div>
    </div>
  )
}

function topsOf(bands: Props['bands']): readonly number[] {
  let top = 0
  return bands.map(({ before, after }) => {
    const start = top
    top += Math.max(before.height, after.height)
    return start
  })
}

/** The part of a picture that belongs in a band. */
function Side({
  slices,
  part: { top, height },
}: {
  readonly slices: readonly (Slice | Drawing)[]
  readonly part: Part
}) {
  const shown = slices.filter((slice, at) => slice.top < top + height && (slices[at + 1]?.top ?? Infinity) > top)
  return (
    <div className={styles.side} style={{ height }}>
      {shown.map((slice) => {
        const style = { insetBlockStart: slice.top - top }
        return 'url' in slice ? (
          <img key={slice.url} src={slice.url} alt="" style={style} />
        ) : (
          <Drawn key={slice.top} bitmap={slice.bitmap} style={style} />
        )
      })}
    </div>
  )
}

function Drawn({ bitmap, style }: { readonly bitmap: ImageBitmap; readonly style: CSSProperties }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0), [bitmap])
  return <canvas ref={canvas} width={bitmap.width} height={bitmap.height} style={style} />
}
