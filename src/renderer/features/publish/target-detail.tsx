import { ExternalLink, Eye, FolderOpen, Pencil, ShieldCheck, Trash2, UploadCloud, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { ReleaseRow, TargetRow } from '../../../ipc/publishing.ts'
import { codeOf } from '../../domain/guide.ts'
import { Means } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Bar } from '../../ui/group.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Status } from '../../ui/status.tsx'
import { Titled } from '../../ui/titled.tsx'
import { ReleaseList } from './release-list.tsx'
import { useTargets } from './store.ts'
import { opening, locationText, targetStateOf, targetTones } from './target-state.ts'

/** The actions of a target. */
export interface TargetActions {
  readonly onPublish: () => void
  readonly onPreview: () => void
  readonly onRollBack: (release: ReleaseRow) => void
  readonly onOpen: () => void
  readonly onCheck: () => void
  /** Null: nothing was published there, or not from here. */
  readonly onRepair: (() => void) | null
  readonly onEdit: () => void
  readonly onRemove: () => void
}

interface Props {
  readonly target: TargetRow
  readonly actions: TargetActions
}

/** The details of a target: its current release, its address and its history. */
export function TargetDetail({ target, actions }: Props) {
  const { t } = useTranslation('publish')
  const formats = useFormats()
  const problemText = useProblemText()
  const { isConfirmed, lastFailure, state, current } = target
  const opens = opening(target)
  const shown = targetStateOf(target)
  return (
    <>
      {!isConfirmed && (
        <Banner tone="warning" text={`${t('unconfirmed.title')} ${t('unconfirmed.text')}`}>
          <Button onClick={actions.onEdit}>{t('unconfirmed.way')}</Button>
        </Banner>
      )}
      {isConfirmed && lastFailure !== null && (
        <Banner
          tone="warning"
          text={`${t('failure', { at: formats.exact(lastFailure.at) })} ${problemText(lastFailure.problem)}`}
        >
          <Means code={codeOf(lastFailure.problem)} hasWords />
        </Banner>
      )}
      <PaneBody>
        <Status
          tone={targetTones[shown === 'failed' ? state : shown]}
          word={t(`states.${shown === 'failed' ? state : shown}`)}
        />
        <Bar>
          {isConfirmed && (
            <Button look="primary" icon={UploadCloud} onClick={actions.onPublish}>
              {t('publish')}
            </Button>
          )}
          <Button icon={Eye} onClick={actions.onPreview}>
            {t('preview')}
          </Button>
          {current !== null && opens !== null && (
            <Button icon={opens === 'open' ? ExternalLink : FolderOpen} onClick={actions.onOpen}>
              {t(opens === 'open' ? 'open' : 'openFolder')}
            </Button>
          )}
        </Bar>
        <Facts facts={useFacts(target)} />
        <Bar>
          {isConfirmed && (
            <Button look="quiet" isFlush icon={ShieldCheck} onClick={actions.onCheck}>
              {t('check')}
            </Button>
          )}
          {isConfirmed && actions.onRepair !== null && (
            <Button look="quiet" isFlush icon={Wrench} onClick={actions.onRepair}>
              {t('repair')}
            </Button>
          )}
          <Button look="quiet" isFlush icon={Pencil} onClick={actions.onEdit}>
            {t('edit')}
          </Button>
          <Button look="quiet" isFlush icon={Trash2} onClick={actions.onRemove}>
            {t('remove')}
          </Button>
        </Bar>
        <Titled title={t('history.title')}>
          <ReleaseList target={target} onRollBack={isConfirmed ? actions.onRollBack : null} />
        </Titled>
      </PaneBody>
    </>
  )
}

function useFacts({ place, publicUrl, credentials, schedule, compress }: TargetRow): readonly Fact[] {
  const { t } = useTranslation('publish')
  const zone = useTargets((shown) => shown.timeZone)
  const state = credentials === 'missing' && place.kind === 'sftp' ? 'missing_sftp' : credentials
  return [
    {
      name: t(`kinds.${place.kind}`),
      value: locationText({ place }),
      isCode: true,
    },
    ...(place.kind === 's3' && place.endpoint !== null
      ? [{ name: t('facts.endpoint'), value: place.endpoint, isCode: true }]
      : []),
    publicUrl === null
      ? { name: t('facts.publicUrl'), value: t('facts.noPublicUrl') }
      : { name: t('facts.publicUrl'), value: publicUrl, isCode: true },
    ...(place.kind === 'folder' ? [] : [{ name: t('facts.credentials'), value: t(`credentialStates.${state}`) }]),
    {
      name: t('facts.schedule'),
      value: schedule === null ? t('manual') : t('dailyIn', { time: schedule, zone: zone ?? '' }),
    },
    ...(compress ? [{ name: t('facts.compression'), value: t('facts.compressed') }] : []),
  ]
}

/** The same actions as menu items. */
export function useTargetMenu(): (target: TargetRow, actions: TargetActions) => readonly MenuItem[] {
  const { t } = useTranslation('publish')
  return ({ isConfirmed }, actions) => [
    ...(isConfirmed
      ? [{ key: 'publish', label: t('publish'), icon: UploadCloud, onSelect: actions.onPublish } as const]
      : []),
    { key: 'preview', label: t('preview'), icon: Eye, onSelect: actions.onPreview },
    { kind: 'separator', key: 'separator' },
    ...(isConfirmed
      ? [{ key: 'check', label: t('check'), icon: ShieldCheck, onSelect: actions.onCheck } as const]
      : []),
    ...(isConfirmed && actions.onRepair !== null
      ? [{ key: 'repair', label: t('repair'), icon: Wrench, onSelect: actions.onRepair } as const]
      : []),
    { key: 'edit', label: t('edit'), icon: Pencil, onSelect: actions.onEdit },
    { key: 'remove', label: t('remove'), icon: Trash2, onSelect: actions.onRemove },
  ]
}
