import { expect, test } from 'vitest'

import { reportJson } from '../../packages/cli/export.ts'

test('the report of an export describes broken references, and lists what was left out or is rejected', () => {
  const report = { files: 3, added: 3, changed: 0, removed: 0, unchanged: 0, bytes: 42, sha256: 'f'.repeat(64) }
  const broken = [
    { page: 'a/index.html', ref: '../c/', reason: { code: 'no_file', path: 'c/' } },
    {
      page: 'a/index.html',
      ref: 'x',
      reason: { code: 'outside_status', status: 404 },
      place: { line: 3, column: 9, element: 'a[href]' },
    },
  ] as const
  const [materialId, versionId] = ['post', 'v2']
  const choices = {
    leftOut: [{ materialId, title: 'A post', versionId, reason: 'rejected', insteadVersionId: 'v1' }],
    rejectedPins: [{ materialId, versionId }],
    rejectedByRule: [{ materialId, versionId }],
    missingHome: materialId,
    baseUrl: null,
  } as const
  const notes = [
    { code: 'social_image_gone', image: 'cover.png' },
    { code: 'parts_left_out', parts: ['base[href]'] },
  ] as const
  const noted = [{ materialId, notes }]
  expect(reportJson({ ...report, links: { checked: 7, broken }, noted }, choices)).toStrictEqual({
    ...report,
    links: {
      checked: 7,
      broken: [
        {
          page: 'a/index.html',
          ref: '../c/',
          reason: 'there is no c/ in the export; correct the link',
          code: 'no_file',
          place: null,
        },
        {
          page: 'a/index.html',
          ref: 'x',
          place: '3:9 a[href]',
          reason: 'the other site returned 404; correct or remove the link',
          code: 'outside_404',
        },
      ],
    },
    left_out: [{ material_id: 'post', version_id: 'v2', reason: 'rejected', instead: 'v1' }],
    notes: [
      { code: 'pinned_version_rejected', material_id: 'post', version_id: 'v2' },
      { code: 'version_rejected', material_id: 'post', version_id: 'v2' },
      { code: 'home_left_out', material_id: 'post' },
      { code: 'no_base_url' },
      { code: 'social_image_gone', material_id: 'post', image: 'cover.png' },
      { code: 'parts_left_out', material_id: 'post', parts: ['base[href]'] },
    ],
  })
})
