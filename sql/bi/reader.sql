-- Who reads the views of one datamart: nothing else is granted, nothing can be changed, and a statement has its bounds.
-- Slots: database = of the views; reader = the user's name; password_hash = SHA-256 of the password, in hex.
CREATE USER IF NOT EXISTS /*{reader}*/ IDENTIFIED WITH sha256_hash BY '/*{password_hash}*/'
SETTINGS readonly = 2, max_execution_time = 60 CONST, max_memory_usage = 2000000000 CONST
;
GRANT SELECT ON /*{database}*/.* TO /*{reader}*/
