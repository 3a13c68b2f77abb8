import {parseJson} from '../../http/body.ts';
import {RawAnswer} from '../../http/envelope.ts';
import {type Route, route} from '../../http/route.ts';
import {channelOf} from '../channel-tokens/channel-tokens.ts';
import {acceptOne, type Door} from '../user-activities/accept.ts';
import type {UserActivitiesServices} from '../user-activities/user-activities.route.ts';
import {ACTIVITY_REFUSALS} from '../user-activities/user-activities.schema.ts';
import {PixelQuery} from './pixel.schema.ts';
import {pixelBytes, TRANSPARENT_GIF} from './pixel.ts';

/** The door of pages and e-mails that can load an image and nothing else: one small activity in the address. */
export function pixelRoutes({ingestion, directory}: UserActivitiesServices): Route[] {
	return [
		route({
			method: 'GET',
			path: '/v1/datamarts/:datamartId/user_activities/pixel.gif',
			aliases: ['/v1/datamarts/:datamartId/user_activities/pixel'],
			summary:
				'Accept one small activity from the query, with the channel’s token; answers a transparent GIF',
			action: 'activities:track',
			answer: 'bytes',
			errors: [...ACTIVITY_REFUSALS, 'body_missing'],
			tokenInQuery: true,
			query: PixelQuery,
			async handle({method, datamart, principal, headers, query, setHeader}) {
				// Who asks with HEAD looks whether there is an image; the visit itself comes with GET.
				if (method !== 'HEAD') {
					const bytes = pixelBytes(query.activity);
					const door: Door = {
						name: 'pixel',
						datamart,
						userAgent: headers['user-agent'] ?? '',
						channel: channelOf(principal, directory),
					};
					await acceptOne({...ingestion, directory}, door, {value: parseJson(bytes), bytes});
				}
				setHeader('Cache-Control', 'no-store');
				setHeader('Pragma', 'no-cache');
				// Shown by pages that embed only what says that it may be embedded.
				setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
				return new RawAnswer(TRANSPARENT_GIF, 'image/gif');
			},
		}),
	];
}
