/** A parent of an embedded engine, for a test that kills it: prints the child's pid and url, then waits. */
import {startEmbeddedClickHouse} from '../../../src/warehouse/embedded/embedded-clickhouse.ts';

const {pid, url, username, password} = await startEmbeddedClickHouse({dataDir: process.argv[2]!});
process.stdout.write(`${JSON.stringify({pid, url, username, password})}\n`);
