import type { CallbackDetail } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId, SnapshotId, VersionId } from '@galley/wire'
import type { TFunction } from 'i18next'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import type { Formats } from '../../i18n/formats.ts'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Titled } from '../../ui/titled.tsx'
import { SignatureStatus } from './signature-status.tsx'
import { Steps } from './steps.tsx'

type Words = TFunction<['callback', 'callbacks']>

/** Links to the objects that a callback names. */
export interface Links {
  readonly onMaterial: (site: SiteId, materialId: MaterialId, versionId: VersionId | null) => void
  readonly onSnapshot: (site: SiteId, snapshotId: SnapshotId) => void
  readonly onCallback: (callbackId: CallbackId) => void
}

interface Props extends Links {
  readonly detail: CallbackDetail
}

/** A callback's steps, response and subject. */
export function Overview({ detail, ...links }: Props) {
  const { t } = useTranslation(['callback', 'callbacks'])
  const formats = useFormats()
  return (
    <PaneBody>
      <Steps detail={detail} />
      <Titled title={t('answer')}>
        <Facts facts={answerFacts(detail, links, t)} />
      </Titled>
      <Titled title={t('request.title')}>
        <Facts facts={requestFacts(detail, links, t, formats)} />
      </Titled>
    </PaneBody>
  )
}

/** A link to what has this ID, which developers read. */
function Shown({ id, onClick }: { readonly id: string; readonly onClick: () => void }) {
  const { t } = useTranslation('callback')
  return <LinkButton onClick={onClick}>{useContext(ForDevelopersContext) ? id : t('show')}</LinkButton>
}

function answerFacts({ callback }: CallbackDetail, links: Links, t: Words): readonly Fact[] {
  const { site, httpStatus, rc, rm, code, versionId, materialId, duplicateOf, kind } = callback
  return [
    { name: t('facts.status'), value: httpStatus, isCode: true, isForDevelopers: true },
    { name: t('facts.rc'), value: rc, isCode: true, isForDevelopers: true },
    ...(code === null ? [] : [{ name: t('facts.code'), value: code, isCode: true, isForDevelopers: true }]),
    // The response as sent to the service: always English.
    { name: t('facts.rm'), value: <span lang="en">{rm}</span> },
    ...(versionId === null
      ? []
      : [
          kind === 'site_fonts_updated'
            ? {
                name: t('facts.snapshot'),
                value: <Shown id={versionId} onClick={() => links.onSnapshot(site, versionId)} />,
                isCode: true,
              }
            : {
                name: t('facts.version'),
                value: <Shown id={versionId} onClick={() => links.onMaterial(site, materialId ?? '', versionId)} />,
                isCode: true,
              },
        ]),
    ...(duplicateOf === null
      ? []
      : [
          {
            name: t('facts.duplicateOf'),
            value: <Shown id={duplicateOf} onClick={() => links.onCallback(duplicateOf)} />,
            isCode: true,
          },
        ]),
  ]
}

function requestFacts({ callback, row }: CallbackDetail, links: Links, t: Words, formats: Formats): readonly Fact[] {
  const { site, receivedAt, kind, materialId, signature, contentUrl, id } = callback
  // Only a saved material exists in the library and can be shown.
  const isKnown = row.materialTitle !== null
  return [
    { name: t('facts.received'), value: formats.exact(receivedAt) },
    { name: t('callbacks:columns.site'), value: site },
    { name: t('facts.event'), value: t(`callbacks:events.${kind}`) },
    ...(materialId === null || kind === 'site_fonts_updated'
      ? []
      : [
          {
            name: t('facts.material'),
            value: isKnown ? (
              <LinkButton onClick={() => links.onMaterial(site, materialId, null)}>{materialId}</LinkButton>
            ) : (
              materialId
            ),
            isCode: true,
          },
        ]),
    { name: t('facts.signature'), value: <SignatureStatus signature={signature} /> },
    ...(contentUrl === null ? [] : [{ name: t('facts.url'), value: contentUrl, isCode: true, isForDevelopers: true }]),
    { name: t('facts.id'), value: id, isCode: true, isForDevelopers: true },
  ]
}
