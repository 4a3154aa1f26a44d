import type { ReactNode } from 'react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import { Layers } from '../ui/layers.tsx'
import type { LayerMode } from '../ui/layers.tsx'
import { Message } from '../ui/message.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { megapixelsAtMost, useDifference } from './difference.ts'
import styles from './lightbox.module.css'
import type { Loaded } from './loaded.ts'

/** How a picture is shown beside the one that it replaced. */
export type PictureMode = 'now' | 'both' | LayerMode

interface Props {
  readonly before: Loaded
  readonly after: Loaded
  readonly mode: PictureMode
  readonly isFit: boolean
  /** How much of the second one is seen in layers, from 0 to 1. */
  readonly amount: number
}

/** Two pictures beside or above each other, from their upper left corner. */
export function PictureCompare({ before, after, mode, isFit, amount }: Props) {
  const { t } = useTranslation('media')
  if (mode === 'now') return <OnePicture picture={after} label={t('after')} isFit={isFit} />
  if (mode === 'both') return <SideBySide before={before} after={after} isFit={isFit} />
  if (mode === 'difference') return <Differing before={before} after={after} isFit={isFit} />
  return <Above before={before} after={after} mode={mode} isFit={isFit} amount={amount} masks={[]} />
}

/** Both pictures; where they are larger than their rooms, they are scrolled together. */
function SideBySide({ before, after, isFit }: Pick<Props, 'before' | 'after' | 'isFit'>) {
  const { t } = useTranslation('media')
  const rooms = useRef<(HTMLElement | null)[]>([])
  const follow = (from: number): void => {
    const [one, other] = [rooms.current[from], rooms.current[1 - from]]
    if (one == null || other == null) return
    other.scrollTop = one.scrollTop
    other.scrollLeft = one.scrollLeft
  }
  return (
    <div className={styles.both}>
      {[before, after].map((picture, side) => (
        <OnePicture
          key={side === 0 ? 'before' : 'after'}
          picture={picture}
          label={t(side === 0 ? 'before' : 'after')}
          isFit={isFit}
          onScroll={() => follow(side)}
          take={(room) => {
            rooms.current[side] = room
          }}
        />
      ))}
    </div>
  )
}

interface OneProps {
  readonly picture: Loaded
  readonly label: string
  readonly isFit: boolean
  readonly onScroll?: () => void
  readonly take?: (room: HTMLElement | null) => void
}

export function OnePicture({ picture, label, isFit, onScroll, take }: OneProps) {
  const { url, width, height, isDrawing } = picture
  return (
    // Keyboards scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={take} className={styles.room} role="region" tabIndex={0} aria-label={label} onScroll={onScroll}>
      <img
        alt={label}
        src={url}
        width={width}
        height={height}
        data-fit={isFit || undefined}
        // Drawings are enlarged to fit, too.
        style={isFit && isDrawing ? { width: `min(100cqw, 100cqh * ${width / height})` } : undefined}
      />
    </div>
  )
}

function Differing({ before, after, isFit }: Pick<Props, 'before' | 'after' | 'isFit'>) {
  const { t } = useTranslation('media')
  const formats = useFormats()
  const compared = useDifference(before, after)
  if (compared.kind === 'comparing') return <Skeleton rows={6} />
  if (compared.kind !== 'compared')
    return <Message text={t(`difference.${compared.kind}`, { count: megapixelsAtMost })} />
  const isSameSize = before.width === after.width && before.height === after.height
  const { bitmap, share } = compared
  const said = share === 0 ? t('difference.equal') : t('difference.share', { share: formats.percent(share) })
  return (
    <Said text={isSameSize ? said : `${said} · ${t('difference.sizes')}`}>
      <Above before={before} after={after} mode="difference" isFit={isFit} amount={1} masks={[{ top: 0, bitmap }]} />
    </Said>
  )
}

const Said = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <>
    <p className={styles.said} role="status">
      {text}
    </p>
    {children}
  </>
)

interface AboveProps extends Omit<Props, 'mode'> {
  readonly mode: LayerMode
  readonly masks: readonly { readonly top: number; readonly bitmap: ImageBitmap }[]
}

function Above({ before, after, mode, isFit, amount, masks }: AboveProps) {
  const { t } = useTranslation('media')
  const height = Math.max(before.height, after.height)
  const part = { top: 0, height }
  return (
    <Layers
      label={t(`layers.${mode}`)}
      mode={mode}
      width={Math.max(before.width, after.width)}
      bands={[{ before: part, after: part }]}
      before={[{ top: 0, url: before.url }]}
      after={[{ top: 0, url: after.url }]}
      masks={masks}
      amount={amount}
      at={null}
      fit={isFit ? 'all' : 'none'}
      isScalable={before.isDrawing && after.isDrawing}
    />
  )
}
