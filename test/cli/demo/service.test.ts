import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {DemoService} from '../../../src/cli/demo/service.ts';
import {serviceEnvironment} from '../../../src/config.ts';

test('whoever stops the demo while the service starts does not wait for a service that is gone', async t => {
	const folder = mkdtempSync(join(tmpdir(), 'millrace-demo-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	const service = new DemoService({
		port: 1,
		logFile: join(folder, 'service.log'),
		environment: serviceEnvironment({DATA_DIR: join(folder, 'data')}),
	});
	const start = performance.now();
	const ready = service.untilReady();
	await service.stop();
	t.is(await service.ended, null, 'it had no time to listen to signals: this one ended it');
	await t.throwsAsync(ready, {message: /the service ended/});
	t.true(performance.now() - start < 20_000);
});
