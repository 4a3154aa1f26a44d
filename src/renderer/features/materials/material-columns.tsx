import type { MaterialRow } from '@galley/library/records'
import { useContext, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { thumbnailUrl } from '../../../ipc/thumbnail-url.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useWaitingText } from '../../domain/waiting-text.ts'
import { useFormats } from '../../i18n/formats.ts'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import type { Column } from '../../ui/grid/column.ts'
import { useNow } from '../../ui/now.ts'
import { Pictured } from '../../ui/pictured.tsx'
import { Signed, WaitingSign } from '../../ui/sign.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoLines, Wrapped } from '../../ui/two-lines.tsx'
import styles from './material-columns.module.css'
import { Excerpt, MaterialState, Pieces, RollbackShort, Tags } from './material-parts.tsx'
import { useMaterials } from './store.ts'

/**
 * An e-mail address on one line. In a narrow space the whole domain is hidden, since the local part identifies the
 * person. The title has the full address.
 */
function Address({ address }: { readonly address: string }) {
  const at = address.lastIndexOf('@')
  if (at <= 0) return <span title={address}>{address}</span>
  return (
    <span className={styles.address} title={address}>
      <span className={styles.part}>{address.slice(0, at)}</span>
      <wbr />
      <span className={styles.part}>{address.slice(at)}</span>
    </span>
  )
}

/**
 * The table's columns, which match main's sort orders. Tags have a column while any material has one. Author and size
 * also have columns of their own for sorting.
 */
export function useMaterialColumns(): readonly Column<MaterialRow>[] {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const nowMs = useNow()
  const hasTags = useMaterials(({ facets }) => (facets?.tags.length ?? 0) > 0)
  return useMemo(
    () => [
      {
        key: 'title',
        title: t('columns.title'),
        leastWidth: 240,
        sorts: 'asc',
        cell: (material) => <MaterialName {...material} />,
      },
      ...(hasTags ? [tagsColumn(t('columns.tags'))] : []),
      {
        key: 'editor',
        title: t('columns.editor'),
        width: 152,
        isHiddenAtFirst: true,
        sorts: 'asc',
        isMeta: true,
        cell: ({ savedBy }) => savedBy !== null && <Address address={savedBy} />,
      },
      {
        key: 'status',
        title: t('columns.status'),
        // The longest is “Changes requested”.
        width: 164,
        shownFrom: 460,
        sorts: 'asc',
        cell: (material) => (
          <TwoLines
            first={<MaterialState {...material} />}
            second={<RollbackShort session={material.session} nowMs={nowMs} />}
          />
        ),
      },
      {
        key: 'versions',
        title: t('columns.versions'),
        width: 80,
        shownFrom: 720,
        align: 'end',
        sorts: 'desc',
        cell: ({ totalBytes, versions }) => (
          <TwoLines first={formats.count(versions)} second={versions === 0 ? null : formats.size(totalBytes)} />
        ),
      },
      {
        key: 'size',
        title: t('columns.size'),
        width: 84,
        isHiddenAtFirst: true,
        align: 'end',
        sorts: 'desc',
        isMeta: true,
        cell: ({ totalBytes, versions }) => (versions === 0 ? null : formats.size(totalBytes)),
      },
      {
        key: 'saved',
        title: t('columns.saved'),
        width: 136,
        sorts: 'desc',
        cell: ({ savedAt, savedBy }) => (
          <TwoLines
            first={savedAt === null ? t('neverSaved') : <Time iso={savedAt} nowMs={nowMs} />}
            second={savedBy !== null && <Address address={savedBy} />}
          />
        ),
      },
    ],
    [t, formats, nowMs, hasTags],
  )
}

const tagsColumn = (title: string): Column<MaterialRow> => ({
  key: 'tags',
  title,
  width: 148,
  shownFrom: 960,
  cell: ({ tags }) => <Tags tags={tags} />,
})

/** Where a material was found: in its page, or else in its ID. */
const Found = ({ excerpt, materialId }: NonNullable<MaterialRow['hit']>) =>
  excerpt.length > 0 ? <Excerpt pieces={excerpt} /> : <Pieces pieces={materialId} />

/** A material's title with its search hit, and a thumbnail of its current version. */
function MaterialName(material: MaterialRow) {
  const { hit, site, materialId, currentVersionId: versionId } = material
  const waits = useWaitingText()(material)
  const name = hit === null || material.title === '' ? titleOf(material) : <Pieces pieces={hit.title} />
  const shown = waits === null ? name : <Signed sign={<WaitingSign label={waits} />}>{name}</Signed>
  const isForDevelopers = useContext(ForDevelopersContext)
  return (
    <Pictured src={versionId === null ? null : thumbnailUrl({ site, materialId, versionId })}>
      {hit === null ? (
        <Wrapped below={isForDevelopers ? materialId : undefined}>{shown}</Wrapped>
      ) : (
        <TwoLines first={shown} second={<Found {...hit} />} />
      )}
    </Pictured>
  )
}
