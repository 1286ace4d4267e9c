CREATE TABLE visits (pet_id BIGINT UNSIGNED, day DATE, note JSON, PRIMARY KEY (pet_id, day), FOREIGN KEY (pet_id) REFERENCES pets (id) ON DELETE CASCADE);
INSERT INTO visits SELECT id, '2024-05-06', JSON_OBJECT('by', full_name) FROM pets;
CREATE VIEW visited AS SELECT p.full_name, v.day FROM visits v JOIN pets p ON p.id = v.pet_id;
UPDATE pets SET kind = 'cat' WHERE full_name = 'Tom';
