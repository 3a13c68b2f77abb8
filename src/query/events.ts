/** Conditions on a fact row's event, as text of our own for statements over `fact_rows_v1`. */

/** What a service or a person's settings did, not the person: no user events (field guide, section 3). */
const NOT_OF_THE_USER = [
	'$conversion',
	'$ad_click',
	'$ad_view',
	'$email_view',
	'$email_click',
	'$email_sent',
	'$email_delivered',
	'$email_soft_bounce',
	'$email_hard_bounce',
	'$email_unsubscribe',
	'$email_complaint',
	'$set_user_profile_properties',
	'$set_user_consent',
	'$content_correction',
	'$quit_while_running',
	'$cleaned_referrer',
];

export const IS_USER_EVENT = `event_type NOT IN ('', ${NOT_OF_THE_USER.map(name => `'${name}'`).join(', ')})`;
export const IS_TRANSACTION = `event_type = '$transaction_confirmed'`;
export const IS_AD_VIEW = `event_type = '$ad_view'`;
export const IS_AD_CLICK = `event_type = '$ad_click'`;
