import { keysIn } from '@galley/wire'
import { Blend, Columns2, Contrast, Image, SquareSplitHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Choice } from '../commands/choice.tsx'
import type { Command } from '../commands/commands.ts'
import { useCommandsStore } from '../commands/commands.ts'
import { commandsFor, isMac } from '../commands/keys.ts'
import { Stepper } from '../commands/stepper.tsx'
import { useFormats } from '../i18n/formats.ts'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Message } from '../ui/message.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { FileFacts } from './file-facts.tsx'
import type { Item, ShownSide } from './item.ts'
import styles from './lightbox.module.css'
import type { Loading } from './loaded.ts'
import { useLoaded } from './loaded.ts'
import { OnePicture, PictureCompare } from './picture-compare.tsx'
import type { PictureMode } from './picture-compare.tsx'

/** In the order of their keys at the desk. */
const modes = {
  now: Image,
  both: Columns2,
  swipe: SquareSplitHorizontal,
  onion: Blend,
  difference: Contrast,
} as const satisfies Record<PictureMode, unknown>

interface Props {
  /** Null while they are read. */
  readonly items: readonly Item[] | null
  /** The one that is shown first. */
  readonly start?: number
  readonly onClose: () => void
}

/** Files of a version in the whole window: a picture or the first frame of a film, beside the one that it replaced. */
export function Lightbox({ items, start = 0, onClose }: Props) {
  const { t } = useTranslation('media')
  const [at, setAt] = useState(start)
  const returnsFocus = useOpenersFocus()
  const item = items?.[at]
  const name = item?.after?.name ?? item?.before?.name ?? t('title')
  const count = items?.length ?? 0
  const step = (steps: number): void => setAt(Math.min(count - 1, Math.max(0, at + steps)))
  return (
    <Dialog title={name} size="full" returnsFocus={returnsFocus} onClose={onClose}>
      {item === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <Shown key={at} item={item} at={at} count={count} step={step} onClose={onClose} />
      )}
    </Dialog>
  )
}

/**
 * A key of the desk may open the lightbox while a pane has the focus. Closing it then focuses the pane, not its first button,
 * which the next Enter would press. Returns whether the dialog returns the focus by itself.
 */
function useOpenersFocus(): boolean {
  const [opener] = useState(() => document.activeElement)
  const isPane = opener instanceof HTMLElement && opener.tabIndex < 0
  useEffect(
    () => () => {
      if (isPane) opener.focus({ preventScroll: true })
    },
    [opener, isPane],
  )
  return !isPane
}

interface ShownProps {
  readonly item: Item
  readonly at: number
  readonly count: number
  readonly step: (steps: number) => void
  readonly onClose: () => void
}

function Shown({ item, at, count, step, onClose }: ShownProps) {
  const { t } = useTranslation(['media', 'desk', 'ui'])
  const [mode, setMode] = useState<PictureMode>('both')
  const [isFit, setFit] = useState(true)
  const [amount, setAmount] = useState(0.5)
  const [before, after] = [useLoaded(item.before), useLoaded(item.after)]
  const isPair = before.kind === 'loaded' && after.kind === 'loaded'
  useKeys(isPair ? setMode : null, count > 1 ? step : null)
  return (
    <>
      <div className={styles.bar}>
        {count > 1 && (
          <Stepper
            place={t('place', { place: at + 1, count })}
            back={{ command: 'review.previousChange', title: t('previous') }}
            forward={{ command: 'review.nextChange', title: t('next') }}
            onStep={step}
          />
        )}
        {isPair && (
          <Choice
            label={t('desk:modes')}
            chosen={mode}
            onChoose={setMode}
            options={keysIn(modes).map((key) => ({
              key,
              icon: modes[key],
              command: `review.${key}` as const,
              title: key === 'now' ? t('now') : t(`desk:mode.${key}`),
            }))}
          />
        )}
        {isPair && (mode === 'swipe' || mode === 'onion') && (
          <Amount label={t(`desk:amount.${mode}`)} value={amount} onChange={setAmount} />
        )}
        <span className={styles.gap} />
        <Button aria-pressed={!isFit} onClick={() => setFit(!isFit)}>
          {t('actualSize')}
        </Button>
        <Button onClick={onClose}>{t('ui:close')}</Button>
      </div>
      <div className={styles.stage}>
        {isPair ? (
          <PictureCompare before={before.loaded} after={after.loaded} mode={mode} isFit={isFit} amount={amount} />
        ) : (
          <Sides item={item} before={before} after={after} isFit={isFit} />
        )}
      </div>
      <FileFacts item={item} before={before} after={after} />
    </>
  )
}

interface SidesProps {
  readonly item: Item
  readonly before: Loading
  readonly after: Loading
  readonly isFit: boolean
}

/** Each side as far as it can be shown. */
function Sides({ item, before, after, isFit }: SidesProps) {
  const { t } = useTranslation('media')
  const isAlone = item.before === null || item.after === null
  return (
    <div className={styles.both}>
      {(['before', 'after'] as const).map((key) => {
        const side = item[key]
        const label = isAlone ? (side?.name ?? '') : t(key)
        return (
          side && (
            <OneSide key={key} side={side} loading={key === 'before' ? before : after} label={label} isFit={isFit} />
          )
        )
      })}
    </div>
  )
}

interface OneSideProps {
  readonly side: ShownSide
  readonly loading: Loading
  readonly label: string
  readonly isFit: boolean
}

function OneSide({ side: { file }, loading, label, isFit }: OneSideProps) {
  const { t } = useTranslation('media')
  const formats = useFormats()
  if (loading.kind === 'loaded') return <OnePicture picture={loading.loaded} label={label} isFit={isFit} />
  if (loading.kind === 'loading') return <Skeleton rows={6} />
  if (file === null) return <Message text={t('elsewhere')} />
  const facts = { type: file.type, size: formats.size(file.sizeBytes) }
  return <Message text={t(loading.kind === 'broken' ? 'broken' : 'notShown', facts)} />
}

/** The keys of the desk, as long as the lightbox is open. Dialogs block all others. */
function useKeys(setMode: ((mode: PictureMode) => void) | null, step: ((steps: number) => void) | null): void {
  const commands = useCommandsStore()
  useEffect(() => {
    const own: readonly Command[] = [
      ...(setMode === null
        ? []
        : keysIn(modes).map((mode): Command => ({
            id: `review.${mode}`,
            group: 'review',
            title: (t) => t(`desk:commands.${mode}`),
            run: () => setMode(mode),
          }))),
      ...(step === null
        ? []
        : ([1, -1] as const).map((steps): Command => ({
            id: steps === 1 ? 'review.nextChange' : 'review.previousChange',
            group: 'review',
            title: (t) => t(steps === 1 ? 'media:next' : 'media:previous'),
            run: () => step(steps),
          }))),
    ]
    const stop = commands.getState().register(own)
    const onKeyDown = (event: KeyboardEvent): void => {
      const pressed = commandsFor(event, commands.getState().chosenKeys, isMac, false)
      const command = own.find(({ id }) => pressed.includes(id))
      if (command === undefined) return
      event.preventDefault()
      command.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      stop()
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [commands, setMode, step])
}
