import { font } from '../../archives/sample-files.ts'
import type { Case } from '../../suite/case.ts'
import { contract, listener } from '../../suite/case.ts'
import { anyShape, set, stores } from './expecting.ts'

/** Unusual but valid font sets and callbacks, which must be accepted. */
export const unusual: readonly Case[] = [
  set(
    'fonts-no-tree',
    'A fonts callback without a tree is accepted',
    { tree: null, storedTree: '{}' },
    'unwise',
    anyShape,
    'fonts-tree-empty',
  ),
  set(
    'fonts-tree-shape',
    'A tree of another shape is accepted',
    { tree: { families: ['Inter'], deep: [[{}]] } },
    'unwise',
    anyShape,
    'fonts-tree-empty',
  ),
  set(
    'fonts-tree-list',
    'A tree whose files are a list is accepted',
    { tree: { list: [{ variants: [{ files: [{ id: 'Conformance.woff2' }] }] }] } },
    'unwise',
    anyShape,
  ),
  set('fonts-tree-empty', 'An empty tree is accepted', { tree: {} }, 'unwise', anyShape),
  set(
    'fonts-stored-tree-odd',
    'A vms_fonts.json that is not JSON is handled safely',
    { storedTree: 'not json' },
    'unwise',
    contract('Fonts ZIP contents', 'vms_fonts.json: font tree'),
  ),
  set(
    'fonts-no-metadata',
    'A fonts callback without metadata is accepted',
    { payload: { metadata: undefined } },
    'unwise',
    listener('fonts need no known material and no metadata'),
  ),
  set(
    'fonts-no-material',
    'A fonts callback for a material that the backend does not have is accepted',
    { material: 'site-fonts' },
    'unwise',
    listener('fonts need no known material and no metadata'),
  ),
  set(
    'fonts-many',
    'Forty font files are accepted',
    { files: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Weight-${at}.woff2`, font(`${at}`)])) },
    'unwise',
    stores,
  ),
]
