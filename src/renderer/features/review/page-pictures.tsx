import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { PagePictures as Pictures } from '../../../ipc/page-pictures.ts'
import { viewportWidths } from '../../../ipc/page-pictures.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { FailedRead } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Amount } from '../../ui/amount.tsx'
import type { LayerMode } from '../../ui/layers.tsx'
import { Layers } from '../../ui/layers.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './desk.module.css'
import { useIgnored } from './ignored.ts'
import type { WaitingPage } from './inbox.ts'
import { useDesk } from './store.ts'

const devices = ['phone', 'tablet', 'desktop'] as const
type Device = (typeof devices)[number]
type Width = (typeof viewportWidths)[Device]

interface Props {
  readonly mode: LayerMode
  readonly row: WaitingPage
}

/** Both versions of a page as pictures above each other, at one width or at all of them. */
export function PagePictures({ mode, row }: Props) {
  const { t } = useTranslation('desk')
  const [device, setDevice] = useState<Device | 'all'>('desktop')
  const [amount, setAmount] = useState(0.5)
  const shown = device === 'all' ? devices : [device]
  const title = (each: Device) => t(`widths.${each}`, { width: viewportWidths[each] })
  return (
    <div className={styles.pictures}>
      <div className={styles.pictureBar}>
        {mode !== 'difference' && <Amount label={t(`amount.${mode}`)} value={amount} onChange={setAmount} />}
        <Select
          label={t('width')}
          value={device}
          onChange={setDevice}
          options={[
            ...devices.map((value) => ({ value, label: title(value) })),
            { value: 'all' as const, label: t('widths.all') },
          ]}
        />
      </div>
      <div className={styles.widths}>
        {shown.map((each) => (
          <OneWidth key={each} mode={mode} row={row} width={viewportWidths[each]} amount={amount} title={title(each)} />
        ))}
      </div>
    </div>
  )
}

interface OneWidthProps extends Props {
  readonly width: Width
  readonly amount: number
  readonly title: string
}

function OneWidth({ mode, row, width, amount, title }: OneWidthProps) {
  const { t } = useTranslation('desk')
  const formats = useFormats()
  const { known, retry } = usePictures(row, width)
  const at = useDesk(({ shown, change }) =>
    shown.kind === 'loaded' && change !== null ? shown.page.marks[change] : null,
  )
  if (known === null)
    return (
      <figure className={styles.oneWidth}>
        <figcaption>{t('making', { title })}</figcaption>
        <Skeleton rows={6} />
      </figure>
    )
  if (!('width' in known)) return <FailedRead problem={known} onRetry={retry} />
  const { before, after, bands, masks, share, isWhole } = known
  return (
    <figure className={styles.oneWidth}>
      <figcaption>
        {title} · {isWhole ? t('share', { share: formats.percent(share) }) : t('firstScreen')}
        {isWhole && (before.isCut || after.isCut) && ` · ${t('isCut')}`}
      </figcaption>
      <Layers
        label={t(`layers.${mode}`, { title })}
        mode={mode}
        width={width}
        bands={bands}
        before={before.slices}
        after={after.slices}
        masks={masks}
        amount={amount}
        at={at == null ? null : at * after.height}
      />
    </figure>
  )
}

/** Pictures of both versions; null until they are made. */
function usePictures({ site, materialId, before, after }: WaitingPage, width: Width) {
  const bridge = useBridge()
  const [turn, setTurn] = useState(0)
  const ignored = useIgnored(({ parts }) => parts)
  const inTheme = useDesk((state) => state.inTheme)
  const key = JSON.stringify([site, materialId, before, after, width, inTheme, turn, ignored])
  const [made, setMade] = useState<{ readonly key: string; readonly known: Pictures | CallProblem } | null>(null)
  useEffect(() => {
    if (before === null) return
    let isWanted = true
    const read = async (isFirst: boolean): Promise<void> => {
      const answer = await catchUnexpected(
        bridge.call('deskPictures', { site, materialId, before, after, inTheme, width, isFirst }),
      )
      if (!isWanted) return
      setMade({ key, known: answer.ok ? answer.value : answer.failure })
      if (answer.ok && !answer.value.isWhole) await read(false)
    }
    void read(true)
    return () => {
      isWanted = false
    }
  }, [bridge, site, materialId, before, after, inTheme, width, key])
  return { known: made?.key === key ? made.known : null, retry: () => setTurn(turn + 1) }
}
