import { expect, it } from 'vitest'

import { openLibrary } from './sample.ts'
import { planOf, preparedOn } from './statements.ts'

// Searches that would stay searches, of more rows, with another index: query-plans.test.ts does not notice them.

it.each([
  [
    'failed saves',
    /AS unseen, max\(c\.arrival\) AS newest/,
    expect.arrayContaining([
      'SEARCH c USING COVERING INDEX callback_failed (site=?)',
      'SEARCH later USING COVERING INDEX callback_stored (site=? AND material_id=? AND kind=? AND arrival>?)',
    ]) as string[],
  ],
  [
    'the log of a material',
    /^SELECT c\.id.* AND c\.site = @site AND c\.material_id = @materialId .* ORDER BY c\.arrival DESC/,
    expect.arrayContaining([
      'SEARCH c USING INDEX callback_by_material (site=? AND material_id=? AND arrival<?)',
    ]) as string[],
  ],
  [
    'the ledger',
    /^SELECT callback, version_id AS versionId FROM delivery WHERE .* content_url = \?$/,
    ['SEARCH delivery USING INDEX sqlite_autoindex_delivery_1 (site=? AND kind=? AND material_id=? AND content_url=?)'],
  ],
  [
    'the inbox',
    /^SELECT m\.id, .* FROM json_each\(@sites\) t CROSS JOIN material m .* ORDER BY since, m\.id$/,
    expect.arrayContaining([
      'SEARCH v USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH a USING INDEX version_decided (material=?)',
      'SEARCH o USING PRIMARY KEY (material=? AND target=?)',
    ]) as string[],
  ],
  [
    'media by address',
    /^SELECT f\.name, f\.sha256, b\.size_bytes FROM media_file f .* WHERE f\.sha256 >= @start/,
    ['SEARCH b USING PRIMARY KEY (sha256>? AND sha256<?)', 'SEARCH f USING PRIMARY KEY (sha256=? AND name=?)'],
  ],
] as const)('the query of %s', async (_name, which, expected) => {
  const { other } = await openLibrary()
  const [sql = '', ...more] = preparedOn(other).filter((each) => which.test(each))
  expect(more).toEqual([])
  expect(planOf(other, sql)).toEqual(expected)
})
