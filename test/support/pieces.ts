import type {Warehouse} from '../../src/warehouse/warehouse.ts';
import {withSettings} from './asked-otherwise.ts';

/** So few rows are read, joined and added up at a time, by several threads: as tables of millions are. */
const PIECES = {
	max_threads: 3,
	max_block_size: 1000,
	merge_tree_min_rows_for_concurrent_read: 1,
	merge_tree_min_bytes_for_concurrent_read: 1,
	group_by_two_level_threshold: 100,
};

/** Questions answered the way those of large tables are, though there is little to read. */
export function inPieces(warehouse: Warehouse): Warehouse {
	return withSettings(warehouse, PIECES);
}
