import { describe, expect, it } from 'vitest'

import { openLibrary } from './sample.ts'
import { planOf, preparedOn } from './statements.ts'

describe('the queries of lists', () => {
  const plans: readonly (readonly [string, RegExp, readonly string[]])[] = [
    ...(
      [
        ['saved_at', 'material_by_saved'],
        ['title_key', 'material_by_title'],
        ['material_id', 'sqlite_autoindex_material_1'],
        ['status', 'material_by_status'],
        ['editor', 'material_by_editor'],
        ['version_count', 'material_by_versions'],
        ['total_bytes', 'material_by_size'],
      ] as const
    ).flatMap(([column, index]) =>
      (['ASC', 'DESC'] as const).map(
        (way) =>
          [
            `the table of materials by ${column} ${way}`,
            new RegExp(`^SELECT m\\.id FROM material m WHERE .* ORDER BY m\\.${column} ${way}`),
            expect.arrayContaining([expect.stringMatching(`^SEARCH m USING (COVERING )?INDEX ${index} \\(site=\\?`)]),
          ] as const,
      ),
    ),
    [
      'the timeline of a material',
      /ORDER BY v\.cdate_ms DESC, v\.id DESC LIMIT \? OFFSET \?$/,
      expect.arrayContaining([
        'SEARCH m USING INDEX sqlite_autoindex_material_1 (site=? AND material_id=?)',
        'SEARCH v USING INDEX version_by_order (material=?)',
      ]),
    ],
    [
      'the log of a site',
      /^SELECT c\.id.* WHERE \+c\.outcome IS NOT NULL AND c\.site = @site AND c\.arrival <= @upTo ORDER BY c\.arrival DESC/,
      expect.arrayContaining(['SEARCH c USING INDEX callback_by_site (site=? AND arrival<?)']),
    ],
    [
      'the log of a material',
      /^SELECT c\.id.* AND c\.site = @site AND c\.material_id = @materialId .* ORDER BY c\.arrival DESC/,
      expect.arrayContaining(['SEARCH c USING INDEX callback_by_material (site=? AND material_id=? AND arrival<?)']),
    ],
    [
      'the log of a site, narrowed and counted',
      /^SELECT count.* c\.site = @site AND \+c\.outcome IN/,
      expect.arrayContaining(['SEARCH c USING COVERING INDEX callback_by_site (site=?)']),
    ],
    [
      'the outcomes of a site',
      /^SELECT c\.outcome AS value.* c\.site = @site GROUP BY/,
      expect.arrayContaining(['SEARCH c USING COVERING INDEX callback_by_site (site=?)']),
    ],
    [
      'failed saves',
      /AS unseen, max\(c\.arrival\) AS newest/,
      expect.arrayContaining([
        'SEARCH c USING COVERING INDEX callback_failed (site=?)',
        'SEARCH later USING COVERING INDEX callback_stored (site=? AND material_id=? AND kind=? AND arrival>?)',
      ]),
    ],
    [
      'media of a site by address',
      /^WITH RECURSIVE naming .* SELECT 1 AS yes FROM naming n CROSS JOIN media f/,
      [
        'COMPOUND QUERY',
        'LEFT-MOST SUBQUERY',
        'MATERIALIZE naming',
        'SETUP',
        'SCAN CONSTANT ROW',
        'RECURSIVE STEP',
        'SCAN n',
        'SEARCH r USING COVERING INDEX style_reference_by_file (hash_start=?)',
        'SCAN n',
        'SEARCH f USING COVERING INDEX media_by_blob (sha256>? AND sha256<?)',
        'SEARCH v USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH m USING INTEGER PRIMARY KEY (rowid=?)',
        'UNION ALL',
        'SCAN n',
        'SEARCH f USING COVERING INDEX media_reference_by_file (hash_start=?)',
        'SEARCH v USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH m USING INTEGER PRIMARY KEY (rowid=?)',
        'UNION ALL',
        'SCAN n',
        'SEARCH s USING INDEX snapshot_by_site (site=?)',
      ],
    ],
    [
      'materials of a site',
      /^SELECT id FROM material WHERE site = \? AND archived_at IS NULL ORDER BY saved_at DESC, id DESC/,
      ['SEARCH material USING INDEX material_by_saved (site=?)'],
    ],
    [
      'versions of a material',
      /^SELECT v\.id.* AND m\.material_id = \? ORDER BY v\.cdate_ms DESC, v\.id DESC$/,
      [
        'SEARCH m USING INDEX sqlite_autoindex_material_1 (site=? AND material_id=?)',
        'SEARCH v USING INDEX version_by_order (material=?)',
      ],
    ],
    [
      'callbacks of a site',
      /^SELECT id FROM callback WHERE outcome IS NOT NULL AND site = @site/,
      ['SEARCH callback USING INDEX callback_by_site (site=?)'],
    ],
    [
      'font sets of a site',
      /^SELECT \* FROM snapshot WHERE site = \? ORDER BY id DESC$/,
      ['SEARCH snapshot USING INDEX snapshot_by_site (site=?)'],
    ],
    [
      'the ledger',
      /^SELECT callback, version_id AS versionId FROM delivery WHERE .* content_url = \?$/,
      [
        'SEARCH delivery USING INDEX sqlite_autoindex_delivery_1 (site=? AND kind=? AND material_id=? AND content_url=?)',
      ],
    ],
    [
      'media by address',
      /^SELECT f\.name, f\.sha256, b\.size_bytes FROM media_file f .* WHERE f\.sha256 >= @start/,
      ['SEARCH b USING PRIMARY KEY (sha256>? AND sha256<?)', 'SEARCH f USING PRIMARY KEY (sha256=? AND name=?)'],
    ],
  ]

  it.each(plans)('%s', async (_name, which, expected) => {
    const { other } = await openLibrary()
    const [sql = '', ...more] = preparedOn(other).filter((each) => which.test(each))
    expect(more).toEqual([])
    expect(planOf(other, sql)).toEqual(expected)
  })
})
