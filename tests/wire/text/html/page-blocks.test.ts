import { expect, test } from 'vitest'

import { pageBlocks } from '../../../../packages/wire/text/html/page-blocks.ts'

test('the texts of a page are told apart as readers see them', () => {
  const page = `<title>No</title><h1>Night <b>trains</b></h1><p>One<br>two<script>no()</script></p><p> – </p>
    <ul><li>Three</li><li>Four <a href="#">links</a></li></ul><table><td>Five<td>Six</table>Seven<template>no</template>`
  expect(pageBlocks(page, 100)).toEqual(['Night trains', 'One', 'two', 'Three', 'Four links', 'Five', 'Six', 'Seven'])
  expect(pageBlocks('<p>abcdef</p>', 3)).toEqual(['abc'])
  expect(pageBlocks('', 3)).toEqual([])
})
