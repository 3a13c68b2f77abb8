import {registerCompletionHandler} from 'ava';

// Node 20 may spin for ever while it takes its own handles apart (after a connection was cut in the middle of a write):
// a test file that is through leaves at once instead.
registerCompletionHandler(() => {
	process.exit();
});
